// Writes the generated files that are checked in so that changes show up in review: `npm run golden`. A test compares
// each file with its generator.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { program } from '#server/program.ts';
import { siteSchema } from '#app/site/schema.ts';
import { helpText } from '#cli/help-text.ts';
import { processShell } from '#cli/shell.ts';
import { type ApiName, apis, isAddition, type ServedApi, servedApis } from '#contract/contract.ts';
import { type Api, effectOf } from '#contract/endpoint.ts';
import { imageStates } from '#contract/states/images.ts';
import { openapiDocument } from '#contract/openapi/openapi.ts';
import { reloadStates } from '#contract/states/reloads.ts';
import { openStore } from '#store/open.ts';
import { movingPage } from './moving-page.ts';
import { sdkErrors, sdkShared, sdkSource } from './sdk-source.ts';

export interface GoldenFile {
  readonly file: string;
  readonly generate: () => string | Promise<string>;
}

export const goldenFolder = new URL('../golden/', import.meta.url);
export const goldenFiles: readonly GoldenFile[] = [
  { file: 'openapi-v2.json', generate: () => openapiText('v2') },
  { file: 'openapi-legacy.json', generate: () => openapiText('legacy') },
  { file: 'openapi-operator.json', generate: () => openapiText('operator') },
  { file: 'endpoints.txt', generate: endpointLines },
  { file: 'cli-help.txt', generate: cliHelp },
  { file: 'schema.sql', generate: schemaText },
  { file: 'states.dot', generate: statesText },
  { file: 'site.schema.json', generate: () => `${JSON.stringify(siteSchema(), undefined, 2)}\n` },
  { file: '../docs/reference/moving-from-legacy.md', generate: movingPage },
  ...sdkFiles(),
];

/** The generated part of the SDK. */
function sdkFiles(): GoldenFile[] {
  const apiFiles = (Object.keys(apis) as ApiName[]).map((api) => ({
    file: `../src/sdk/generated/${api}.ts`,
    generate: () => sdkSource(api),
  }));
  return [
    ...apiFiles,
    { file: '../src/sdk/generated/shared.ts', generate: sdkShared },
    { file: '../src/sdk/generated/errors.ts', generate: sdkErrors },
  ];
}

function openapiText(api: ApiName): string {
  return `${JSON.stringify(openapiDocument(api), null, 2)}\n`;
}

/**
 * API, method, path, operation, access, effect, the scope that suffices for reading if the operation can do both, and
 * whether it is an addition to the public documents.
 */
function endpointLines(): string {
  const lines = Object.entries(servedApis).flatMap(([api, declarations]) =>
    Object.entries(declarations as Api).map(([name, declaration]) =>
      [
        api,
        declaration.method,
        declaration.path,
        name,
        declaration.access,
        effectOf(declaration),
        ...(declaration.reading === undefined ? [] : [`reading:${declaration.reading.access}`]),
        ...(isAddition(api as ServedApi, declaration) ? ['addition'] : []),
      ].join(' '),
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** Not on a terminal, whose width would change the text. */
function cliHelp(): Promise<string> {
  return helpText(program, { ...processShell(), out: new PassThrough() });
}

/** The state tables in the format of Graphviz. */
function statesText(): string {
  const machines: Record<string, Readonly<Record<string, readonly string[]>>> = {
    'network boot': reloadStates,
    image: imageStates,
  };
  return Object.entries(machines)
    .map(([name, table]) => {
      const lines = Object.entries(table).flatMap(([from, next]) => [
        `  "${from}"${next.length === 0 ? ' [peripheries=2]' : ''};`,
        ...next.map((to) => `  "${from}" -> "${to}";`),
      ]);
      return `digraph "${name}" {\n${lines.join('\n')}\n}\n`;
    })
    .join('\n');
}

/** The tables of SQLite after all migrations; a test compares those of PostgreSQL with it. */
async function schemaText(): Promise<string> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hostyard-golden-'));
  try {
    const store = await openStore({ dataFolder, database: undefined });
    const { rows } = await sql<{ sql: string }>`select sql from sqlite_master
      where sql is not null and name not like 'sqlite_%' order by tbl_name, type = 'table' desc, name`.execute(
      store.queries,
    );
    await store.close();
    return rows.map((row) => `${row.sql};\n`).join('\n');
  } finally {
    await rm(dataFolder, { recursive: true });
  }
}

if (import.meta.main) {
  await mkdir(goldenFolder, { recursive: true });
  await mkdir(new URL('../src/sdk/generated/', import.meta.url), { recursive: true });
  for (const { file, generate } of goldenFiles) await writeFile(new URL(file, goldenFolder), await generate());
}
