// Writes the digest of each image beside its version, into Dockerfile and compose.yaml: `node:24.21.0-slim@sha256:…`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** Where the official images are, and who lets readers in there. */
const HUB = { registry: 'https://registry-1.docker.io', tokens: 'https://auth.docker.io' };

const MANIFESTS =
  'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json';
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** An official image by its version, with the digest that may be there: after FROM or `image:`. Ours has no version there. */
const REFERENCE = /^(FROM |\s*image: )((?:node|postgres|haproxy):[\w.-]+)(?:@sha256:[0-9a-f]{64})?/gm;

/** The digest of an official image for all its platforms. Throws the error of the registry. */
async function digestOf(image: string, hub: typeof HUB): Promise<string> {
  const [name, tag] = image.split(':');
  const scope = `repository:library/${name}:pull`;
  const asked = await fetch(
    `${hub.tokens}/token?service=registry.docker.io&scope=${encodeURIComponent(scope)}`,
  );
  if (!asked.ok) throw new Error(`${hub.tokens} gives no token for ${image}: ${asked.status}.`);
  const { token } = z.object({ token: z.string() }).parse(await asked.json());
  const manifest = await fetch(`${hub.registry}/v2/library/${name}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { Accept: MANIFESTS, Authorization: `Bearer ${token}` },
  });
  const digest = manifest.headers.get('Docker-Content-Digest') ?? '';
  if (!manifest.ok || !DIGEST.test(digest)) {
    throw new Error(`${hub.registry} has no digest of ${image}: ${manifest.status}.`);
  }
  return digest;
}

/** A file that names images, with the digest of each as the registry says it now. */
export async function withDigests(text: string, hub: typeof HUB = HUB): Promise<string> {
  const images = new Set(Array.from(text.matchAll(REFERENCE), ([, , image = '']) => image));
  const digests = new Map<string, string>();
  for (const image of images) digests.set(image, await digestOf(image, hub));
  return text.replaceAll(REFERENCE, (_, before, image) => `${before}${image}@${digests.get(image)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(import.meta.dirname, '../../..');
  // All are asked before one is written.
  const texts = await Promise.all(
    ['Dockerfile', 'compose.yaml'].map(async (name) => {
      const path = join(root, name);
      return { path, text: await withDigests(await readFile(path, 'utf8')) };
    }),
  );
  for (const { path, text } of texts) await writeFile(path, text);
}
