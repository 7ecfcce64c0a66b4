import { rosterQuery } from './client.ts';

export const settingsQuery = { ...rosterQuery('settings', 'get', {}), staleTime: 60_000 };
