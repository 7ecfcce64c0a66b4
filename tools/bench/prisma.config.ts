import { defineConfig } from 'prisma/config';

/** Only the client is generated: the tables are Roster's, made by its own migrations. */
export default defineConfig({ schema: 'prisma/schema.prisma' });
