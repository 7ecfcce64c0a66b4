import type { TestServer } from '@roster/server/testing';

type Fields = Record<string, unknown>;

/** A day so many days from now, in UTC. */
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const lisboa = { city: 'Lisboa', region: '11', country: 'PT' };
const porto = {
  city: 'Porto',
  region: '13',
  country: 'PT',
  line1: 'Rua das Flores 24, 2.º',
  postalCode: '4050-265',
};

/** The offices of the design, each with its city, the office above it and how many more agents work there. */
const offices: readonly [name: string, address: Fields, main: string | undefined, others: number][] = [
  ['Casa Clara', lisboa, undefined, 0],
  ['Casa Clara Chiado', lisboa, 'Casa Clara', 57],
  ['Casa Clara Baixa', lisboa, 'Casa Clara', 6],
  ['Casa Clara Cascais', { ...lisboa, city: 'Cascais' }, 'Casa Clara', 4],
  ['Casa Clara Porto Ribeira', { ...porto, line1: 'Rua da Alfândega 18' }, 'Casa Clara', 30],
  ['Casa Clara Porto Foz', porto, 'Casa Clara', 42],
  ['Casa Clara Porto Boavista', porto, 'Casa Clara', 8],
  ['Casa Clara Porto Baixa', porto, 'Casa Clara', 8],
  ['Casa Clara Gaia', { ...porto, city: 'Vila Nova de Gaia' }, 'Casa Clara Porto Ribeira', 11],
  ['Casa Clara Matosinhos', { ...porto, city: 'Matosinhos' }, 'Casa Clara Porto Ribeira', 9],
  ['Casa Clara Leça', { ...porto, city: 'Leça da Palmeira' }, 'Casa Clara Porto Ribeira', 4],
  ['Casa Clara Minho', { city: 'Braga', region: '03', country: 'PT' }, 'Casa Clara', 12],
  ['Harbour & Vale Bloomsbury', { city: 'London', country: 'GB' }, undefined, 50],
  ['Harbour & Vale Porto', porto, 'Harbour & Vale Bloomsbury', 3],
  ['Quinta del Mar Chamberí', { city: 'Madrid', region: 'MD', country: 'ES' }, undefined, 43],
  ['Quinta del Mar Oporto', porto, 'Quinta del Mar Chamberí', 2],
  ['青山ホームズ 渋谷', { city: '東京', country: 'JP' }, undefined, 38],
  ['青山ホームズ ポルト', porto, '青山ホームズ 渋谷', 2],
];

/** The agents of the design: name, job title, office, and in how many days the licence ends. */
const agents: readonly [
  first: string,
  last: string,
  title: string,
  office: string,
  endsIn: number | undefined,
][] = [
  ['Rita', 'Abreu', 'Consultant', 'Casa Clara Porto Ribeira', 107],
  ['Beatriz', 'Almeida', 'Senior consultant', 'Casa Clara Porto Foz', 279],
  ['Afonso', 'Barros', 'Trainee', 'Casa Clara Porto Ribeira', undefined],
  ['Tomás', 'Carvalhal', 'Consultant', 'Casa Clara Porto Boavista', -1],
  ['Sofia', 'Assunção', 'Consultant', 'Casa Clara Cascais', -3],
  ['Mafalda', 'Coutinho', 'Consultant', 'Casa Clara Porto Foz', 204],
  ['Inês', 'Figueiredo', 'Partner', 'Casa Clara Porto Baixa', 12],
  ['Lourenço', 'Fonseca', 'Branch manager', 'Casa Clara Porto Boavista', 315],
  ['Elena', 'García Ruiz', 'Asesora', 'Quinta del Mar Oporto', 154],
  ['Hugo', 'Guimarães', 'Consultant', 'Casa Clara Gaia', 349],
  ['James', 'Hartley', 'International desk', 'Harbour & Vale Porto', 215],
  ['Diana', 'Leitão', 'Consultant', 'Casa Clara Porto Ribeira', 33],
  ['Gonçalo', 'Macedo', 'Senior consultant', 'Casa Clara Porto Foz', 220],
  ['Raquel', 'Matos', 'Consultant', 'Casa Clara Porto Boavista', 110],
  ['小林', '直樹', '国際部', '青山ホームズ ポルト', 338],
  ['Carla', 'Nogueira', 'Consultant', 'Casa Clara Porto Baixa', 87],
  ['Pedro', 'd’Orey', 'Partner', 'Casa Clara Porto Foz', 372],
  ['Gonçalo', 'd’Orey', 'Partner', 'Casa Clara Chiado', 300],
  ['Goncalo', 'Dorey', 'Consultant', 'Casa Clara Chiado', 300],
  ['Maria', 'da Costa Vasconcelos', 'Manager', 'Casa Clara Chiado', 400],
  ['Clara', 'Vasconcelos', 'Branch manager', 'Casa Clara Porto Ribeira', 401],
  ['Eleanor', 'Eleanor Ashworth', 'Director', 'Harbour & Vale Bloomsbury', 410],
  ['Lucía', 'Álvarez Peña', 'Directora', 'Quinta del Mar Chamberí', 420],
  ['青木', '美咲', '支店長', '青山ホームズ 渋谷', 430],
  ['Ines', 'Figueredo', 'Partner', 'Casa Clara Porto Baixa', 12],
];

/** Agents who look like an earlier one, by the place of that among the agents: they have its phone number and its licence. */
const twins: Readonly<Record<string, number>> = { Dorey: 17, Figueredo: 6 };

const managers: Readonly<Record<string, string>> = {
  'Casa Clara Chiado': 'Maria da Costa Vasconcelos',
  'Harbour & Vale Bloomsbury': 'Eleanor Ashworth',
  'Casa Clara Porto Foz': 'Pedro d’Orey',
  'Quinta del Mar Chamberí': 'Lucía Álvarez Peña',
  '青山ホームズ 渋谷': '青木 美咲',
  'Casa Clara Porto Ribeira': 'Clara Vasconcelos',
};

const others = ['Ana', 'Bruno', 'Catarina', 'Duarte', 'Eva', 'Filipe', 'Helena', 'Joana', 'Luís', 'Marta'];
const families = [
  'Antunes',
  'Brito',
  'Cardoso',
  'Dias',
  'Esteves',
  'Faria',
  'Gaspar',
  'Henriques',
  'Jorge',
  'Lopes',
  'Neves',
];

export interface CasaClara {
  officeIds: ReadonlyMap<string, string>;
  /** By the whole name. */
  agentIds: ReadonlyMap<string, string>;
}

/** Fills a directory with what the design shows, around today. */
export async function seedCasaClara(server: TestServer): Promise<CasaClara> {
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await server.request(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const officeIds = new Map<string, string>();
  for (const [name, address, main] of offices) {
    const mainOfficeId = main === undefined ? undefined : officeIds.get(main);
    const phone = address.country === 'PT' ? '+351222000150' : null;
    const office = {
      name,
      address,
      phone,
      email: 'ola@casaclara.example',
      ...(mainOfficeId && { mainOfficeId }),
    };
    officeIds.set(name, (await call<{ id: string }>('POST', '/offices', office)).id);
  }
  const agentIds = new Map<string, string>();
  for (const [index, [firstName, lastName, title, office, endsIn]] of agents.entries()) {
    const isTwin = lastName in twins;
    const place = twins[lastName] ?? index;
    const agent = {
      firstName,
      lastName,
      title,
      officeId: officeIds.get(office),
      mobilePhone: `+351913000${100 + place}`,
      email: isTwin ? null : `agent-${index}@casaclara.example`,
      languages: ['pt', 'en', 'fr'],
      licenses: endsIn === undefined ? [] : [{ number: `CI-${9_400 + place}`, expiresOn: dayIn(endsIn) }],
    };
    agentIds.set(`${firstName} ${lastName}`, (await call<{ id: string }>('POST', '/agents', agent)).id);
  }
  const more = offices.flatMap(([name, , , count], at) =>
    Array.from({ length: count }, (_, index) => ({
      firstName: others[(index + at) % others.length],
      lastName: `${families[(index * 7 + at) % families.length]} ${families[(index + at * 3) % families.length]}`,
      title: index % 3 === 0 ? 'Senior consultant' : 'Consultant',
      officeId: officeIds.get(name),
      mobilePhone: `+35191${String(4_000_000 + at * 1_000 + index)}`,
      licenses: [
        {
          number: `CI-${20_000 + at * 100 + index}`,
          expiresOn: dayIn(index % 12 === 5 ? 8 + at * 3 : 100 + index * 5),
        },
      ],
    })),
  );
  await call('POST', '/imports/agents', { mode: 'create', records: more });
  for (const [name, last] of Object.entries(managers))
    await call('PATCH', `/offices/${officeIds.get(name)}`, { managerAgentId: agentIds.get(last) });
  await call('PUT', `/agents/${agentIds.get('Raquel Matos')}/deactivate`, {});
  const ines = agentIds.get('Inês Figueiredo');
  await call('PATCH', `/agents/${ines}`, { directPhone: '+351222000142' });
  await call('PUT', `/agents/${ines}/transfer`, {
    officeId: officeIds.get('Casa Clara Minho'),
    effectiveOn: dayIn(38),
  });
  await call('POST', '/teams', {
    name: 'Equipa Baixa',
    officeId: officeIds.get('Casa Clara Porto Baixa'),
    members: [
      { agentId: ines, role: 'lead', since: dayIn(-1) },
      ...['Carla Nogueira', 'Rita Abreu', 'Diana Leitão', 'Gonçalo Macedo', 'Hugo Guimarães'].map((name) => ({
        agentId: agentIds.get(name),
      })),
    ],
  });
  const bulk = (fields: object) => call('POST', '/agents/bulk', fields);
  const chiado = { officeId: [officeIds.get('Casa Clara Chiado')] };
  const { total } = await call<{ total: number }>(
    'GET',
    `/agents?officeId=${chiado.officeId}&limit=1&includeTotal=true`,
  );
  await bulk({
    filter: chiado,
    change: { type: 'update', patch: { title: 'Consultant' } },
    expectedCount: total,
  });
  const moved = {
    ids: ['Rita Abreu', 'Afonso Barros', 'Diana Leitão', 'Hugo Guimarães', 'Gonçalo Macedo'].map((name) =>
      agentIds.get(name),
    ),
  };
  const officeId = officeIds.get('Casa Clara Minho');
  await bulk({
    filter: moved,
    change: { type: 'transfer', officeId },
    expectedCount: 5,
    effectiveOn: dayIn(3),
  });
  await call('POST', '/views', {
    name: 'Licences within 60 days',
    isShared: true,
    resource: 'agents',
    query: { licenseExpiresBefore: 'P60D', sort: 'nextLicenseExpiresOn' },
  });
  await call('POST', '/views', { name: 'Porto', isShared: true, resource: 'agents', query: { q: 'porto' } });
  for (const [name, scopes, days] of [
    [
      'CRM sync',
      [
        'offices:read',
        'offices:write',
        'agents:read',
        'agents:write',
        'teams:read',
        'teams:write',
        'events:read',
      ],
      12,
    ],
    ['Listing portal Porto', ['offices:read', 'agents:read', 'teams:read', 'events:read'], 138],
    ['Payroll export', ['offices:read', 'agents:read'], 68],
    ['Harbour & Vale intranet', ['offices:read', 'agents:read', 'teams:read', 'events:read'], undefined],
  ] as const)
    await call('POST', '/keys', {
      name,
      scopes,
      expiresAt: days === undefined ? null : `${dayIn(days)}T12:00:00.000Z`,
    });
  const grant = (role: string, office?: string) => [
    { role, officeIds: office === undefined ? null : [officeIds.get(office)] },
  ];
  for (const [name, grants] of [
    ['Rui Abrantes', grant('admin')],
    ['青木 美咲', grant('manager', '青山ホームズ 渋谷')],
    ['Grace Adeyemi', grant('manager', 'Harbour & Vale Bloomsbury')],
    ['Sofia Pinheiro', grant('editor', 'Casa Clara Chiado')],
    ['Beatriz Lemos', grant('viewer')],
  ] as const)
    await call('POST', '/people', {
      name,
      email: `${crypto.randomUUID().slice(0, 8)}@casaclara.example`,
      grants,
    });
  return { officeIds, agentIds };
}
