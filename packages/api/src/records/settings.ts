import type { CallContext } from '../trpc/context.ts';

/** The settings of the service that changes of records follow. */
interface RecordSettings {
  /** Days for which a deleted record can be restored. */
  retentionDays: number;
  /** The default country of telephones that the environment sets; undefined leaves it to the settings of the directory. */
  defaultCountry: string | undefined;
}

/** The part of the service that changes of records need. */
export interface RecordCollaborators {
  settings: RecordSettings;
}

/** The context of a call that changes records. */
export interface RecordContext extends CallContext, RecordCollaborators {}
