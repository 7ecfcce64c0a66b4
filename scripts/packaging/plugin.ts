/** The part of rolldown's plugin context that these plug-ins use. */
interface BundleContext {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): string;
}

/** A file of the bundle; a chunk has the ids of its modules. */
interface BundleFile {
  moduleIds?: string[];
}

/**
 * A rolldown plug-in, with the hooks that are used here. Declared structurally, because the bundler is a dependency of the
 * applications and not of the workspace.
 */
export interface BundlePlugin {
  name: string;
  generateBundle(
    this: BundleContext,
    options: unknown,
    files: Readonly<Record<string, BundleFile>>,
  ): Promise<void>;
  writeBundle?(options: { dir?: string | undefined }): Promise<void>;
}
