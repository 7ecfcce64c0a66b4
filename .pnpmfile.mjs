// The packages that are published contain what they import, or leave it to who installs them, so that their manifests name no
// dependencies: those of package.json are what they need in this workspace.
export const hooks = {
  beforePacking({ dependencies: _, ...manifest }) {
    return manifest;
  },
};
