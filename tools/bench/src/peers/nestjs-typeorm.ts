import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Headers,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  PreconditionFailedException,
  Query,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { And, type EntityManager, EntitySchema, Like, type Repository } from 'typeorm';
import {
  type Body as AgentBody,
  type AgentRow,
  changeOf,
  columns,
  eventOf,
  newRow,
  patternsOf,
  previousOf,
  recordOf,
  versionOf,
} from './agent.ts';
import { announce, CONNECTIONS, databaseUrl } from './start.ts';

/** NestJS on its default platform, Express, with TypeORM's repositories. */
type Column = {
  type: 'uuid' | 'text' | 'integer' | 'timestamptz' | 'jsonb';
  array?: boolean;
  select?: boolean;
};

const types: Record<string, Column> = {
  version: { type: 'integer' },
  metadata: { type: 'jsonb' },
  licenses: { type: 'jsonb' },
  scheduled_changes: { type: 'jsonb' },
  affiliations: { type: 'jsonb' },
  languages: { type: 'text', array: true },
  designations: { type: 'text', array: true },
};

function typeOf(column: string): Column {
  if (types[column] !== undefined) return types[column];
  return {
    type: column.endsWith('_at')
      ? 'timestamptz'
      : column.endsWith('_id') && column !== 'mls_id' && column !== 'national_association_id'
        ? 'uuid'
        : 'text',
  };
}

const described = columns.map((column) => [column, { nullable: true, ...typeOf(column) }] as const);

type StoredAgent = AgentRow & { search_text: string };

const AgentEntity = new EntitySchema<StoredAgent>({
  name: 'agent',
  columns: {
    ...Object.fromEntries(described),
    id: { type: 'uuid', primary: true },
    search_text: { type: 'text', select: false, insert: false, update: false },
  },
});

const EventEntity = new EntitySchema<ReturnType<typeof eventOf> & { id: string }>({
  name: 'event',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    type: { type: 'text' },
    subject_id: { type: 'uuid' },
    version: { type: 'integer' },
    occurred_at: { type: 'timestamptz' },
    record: { type: 'json', nullable: true },
    previous: { type: 'json' },
  },
});

@Injectable()
class AgentService {
  readonly agents: Repository<StoredAgent>;

  constructor(@InjectRepository(AgentEntity) agents: Repository<StoredAgent>) {
    this.agents = agents;
  }

  async get(id: string) {
    const row = await this.agents.findOneBy({ id });
    if (row === null) throw new NotFoundException();
    return recordOf(row);
  }

  async list({ limit, status, region, q }: Record<string, string | undefined>) {
    const rows = await this.agents.find({
      where: {
        ...(status !== undefined && { status }),
        ...(region !== undefined && { address_region: region }),
        ...(q !== undefined && { search_text: And(...patternsOf(q).map((pattern) => Like(pattern))) }),
      },
      order: q === undefined ? { last_name: 'ASC', id: 'ASC' } : { created_at: 'DESC', id: 'DESC' },
      take: Number(limit ?? 50),
    });
    return { items: rows.map(recordOf) };
  }

  create(body: AgentBody) {
    return this.agents.manager.transaction(async (manager) => {
      const row = newRow(body);
      await manager.insert(AgentEntity, row as object);
      const record = recordOf(row);
      await this.#log(manager, eventOf('agent.created', record));
      return record;
    });
  }

  update(id: string, version: number, body: AgentBody) {
    return this.agents.manager.transaction(async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const before = await manager.findOne(AgentEntity, { where: { id, version }, lock });
      if (before === null) throw new PreconditionFailedException();
      const change = changeOf(body, before);
      await manager.update(AgentEntity, { id }, change as object);
      const record = recordOf({ ...before, ...change });
      await this.#log(manager, eventOf('agent.updated', record, previousOf(body, recordOf(before))));
      return record;
    });
  }

  async #log(manager: EntityManager, event: ReturnType<typeof eventOf>): Promise<void> {
    await manager.insert(EventEntity, event as object);
  }
}

@Controller('agents')
class AgentController {
  readonly service: AgentService;

  constructor(@Inject(AgentService) service: AgentService) {
    this.service = service;
  }

  @Get(':id')
  get(@Param('id') id: string) {
    return this.service.get(id);
  }

  @Get()
  list(@Query() query: Record<string, string | undefined>) {
    return this.service.list(query);
  }

  @Post()
  create(@Body() body: AgentBody) {
    return this.service.create(body);
  }

  @Patch(':id')
  update(@Param('id') id: string, @Headers('if-match') ifMatch: string, @Body() body: AgentBody) {
    return this.service.update(id, versionOf(ifMatch), body);
  }
}

const url = new URL(databaseUrl());
const connection = {
  host: url.searchParams.get('host') ?? url.hostname,
  port: Number(url.searchParams.get('port') ?? (url.port || 5432)),
  username: url.username,
  password: url.password,
  database: url.pathname.slice(1),
};

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      ...connection,
      entities: [AgentEntity, EventEntity],
      extra: { max: CONNECTIONS },
    }),
    TypeOrmModule.forFeature([AgentEntity, EventEntity]),
  ],
  controllers: [AgentController],
  providers: [AgentService],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] });
await app.listen(0, '127.0.0.1');
announce(Number(new URL(await app.getUrl()).port));
