export { type AppOptions, buildApp } from './app.ts';
export { type Config, ConfigError, readConfig } from './config.ts';
export { type Service, startService } from './service.ts';
