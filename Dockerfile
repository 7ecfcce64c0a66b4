# syntax=docker/dockerfile:1
# The server as an image: Debian, the program of Node, and the bundle. A job of CI builds it and starts `compose.yaml`.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
ENV CI=true
# npm verifies pnpm by the hash in package-lock.json.
COPY scripts/pnpm ./scripts/pnpm
RUN npm ci --ignore-scripts --prefix scripts/pnpm && ln -s /build/scripts/pnpm/node_modules/@pnpm/exe.*/pnpm /usr/local/bin/pnpm
# Downloads all packages. A changed source does not repeat this: only a different lockfile does.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch --prod --ignore-scripts
COPY . .
RUN pnpm install --offline --frozen-lockfile --prod --ignore-scripts --filter '@roster/server...' --filter '@roster/console...'
RUN node scripts/packaging/contract.mjs && node scripts/packaging/server.ts

# The image of Node has npm, yarn and headers as well, which are as large as the rest.
FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Roster" \
      org.opencontainers.image.description="The directory service of offices and agents" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
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
