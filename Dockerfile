# syntax=docker/dockerfile:1
# The server as an image: nothing but Node and the bundle. A job of CI builds it and starts `compose.yaml`.

FROM node:24.21.0-slim AS build
WORKDIR /build
ENV CI=true
# npm verifies pnpm by the hash in package-lock.json.
COPY scripts/pnpm ./scripts/pnpm
RUN npm ci --ignore-scripts --prefix scripts/pnpm && ln -s /build/scripts/pnpm/node_modules/@pnpm/exe.*/pnpm /usr/local/bin/pnpm
COPY . .
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    pnpm install --frozen-lockfile --filter '@roster/server...' --filter '@roster/console...'
RUN pnpm --filter @roster/server build

FROM node:24.21.0-slim
LABEL org.opencontainers.image.title="Roster" \
      org.opencontainers.image.description="The directory service of offices and agents"
WORKDIR /opt/roster
COPY --from=build /build/apps/server/bundle ./
# Where nothing may be written there is no cache of compiled code; the data are in PostgreSQL (DATABASE_URL).
ENV NODE_ENV=production \
    NODE_DISABLE_COMPILE_CACHE=1 \
    HOST=0.0.0.0 \
    PORT=3000
# A number, so that Kubernetes can check that it is not root (runAsNonRoot).
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process lives: one whose database is away is not to be killed for it. Who sends requests asks /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Its first line starts Node with the flags and the environment for little memory (docs/operations/install.md).
ENTRYPOINT ["./main.js"]
