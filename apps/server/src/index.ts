export { type Config, ConfigError, readConfig } from './config/config.ts';
export { type AppOptions, buildApp } from './http/app.ts';
export { type Service, startService } from './server.ts';
