# Production dependencies alone, in a stage of their own: npm's cache and the tools of the checkout stay behind.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# `npm install` with the lock file, as the launcher does; see docs/decisions/0006-npm-install-not-ci.md
RUN npm install --omit=dev --no-save --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    LEDGER_HOST=0.0.0.0 \
    LEDGER_DATA=/data \
    LEDGER_LOG_FORMAT=json
# As the launcher has it: glibc gives back what threads took, and keeps fewer heaps than eight a core.
ENV MALLOC_ARENA_MAX=4 \
    MALLOC_MMAP_THRESHOLD_=262144 \
    MALLOC_TRIM_THRESHOLD_=1048576
# The folders belong to the user that the service runs as, and so do named volumes that are first mounted there.
RUN mkdir /data /streams && chown node:node /data /streams
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY schemas ./schemas
COPY src ./src
COPY projections ./projections
COPY commands ./commands
COPY queries ./queries
# The commit, for `--version`, `projections status` and the metrics: --build-arg GIT_ID=$(git rev-parse HEAD)
ARG GIT_ID=
RUN if [ -n "$GIT_ID" ]; then printf '%s\n' "$GIT_ID" > src/cli/git-id.txt; fi
USER node
EXPOSE 5551
VOLUME ["/data"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.LEDGER_PORT ?? 5551}/health/liveness`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without the launcher: the image is Node 24 already, and signals reach the service itself.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/cli/main.ts"]
CMD ["start"]
