export {
  type BackupOptions,
  createBackup as takeBackup,
  type OnProgress,
  type Summary,
} from './create-backup.ts';
export { BackupError } from './errors.ts';
export { checkBackup, type Restored, type RestoreOptions, restoreBackup } from './restore.ts';
