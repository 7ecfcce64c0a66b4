export {
  type BackupOptions,
  createBackup,
  type OnProgress,
  type Summary,
} from './create-backup.ts';
export { BackupError } from './errors.ts';
export { checkBackup, type Restored, type RestoreOptions, restoreBackup } from './restore.ts';
