import type { CallContext } from '../trpc/context.ts';

interface RecordSettings {
  retentionDays: number;
  /** From the environment. If undefined, the setting of the directory applies. */
  defaultCountry: string | undefined;
}

export interface RecordCollaborators {
  settings: RecordSettings;
}

export interface RecordContext extends CallContext, RecordCollaborators {}
