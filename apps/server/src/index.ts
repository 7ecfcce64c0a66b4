export { type AppOptions, buildApp } from './app.ts';
export { type Config, ConfigError, readConfig } from './config/config.ts';
export { type Service, startService } from './server.ts';
