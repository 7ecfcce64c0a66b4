import { rosterQuery } from './client.ts';

/** The query of the settings of the directory. */
export const settingsQuery = { ...rosterQuery('settings', 'get', {}), staleTime: 60_000 };
