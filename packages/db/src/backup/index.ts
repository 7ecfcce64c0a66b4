export { createBackup, type Summary } from './create.ts';
export { type Restored, restoreBackup } from './restore.ts';
export { BackupError } from './session.ts';
