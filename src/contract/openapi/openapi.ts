// Creates one OpenAPI 3.1 document per API from the declarations alone, in their order, so that the same declarations
// always give the same text.
import { type TSchema, Type } from 'typebox';
import { type ApiName, apis, isAddition } from '../contract.ts';
import { type Endpoint, type Api, type Reading, costOf, effectOf, fieldPermissions } from '../endpoint.ts';
import { responsesOf, failureSchemas, headers } from './responses.ts';
import { type Json, type Components, gatherComponents, reference } from './schema.ts';
import { type PathForm, pathForms } from '../paths.ts';
import { rolesWith } from '../roles.ts';

const tagDescriptions: Record<string, string> = {
  account: 'Account, contacts, balance and invoices.',
  payment: 'Payment methods, payments and top-ups.',
  key: 'API keys, support accesses and the audit log.',
  session: 'Sign-in, second factors and passkeys.',
  action: 'Long-running operations of the account, their progress and outcome.',
  event: 'The account’s event log, paged and streamed.',
  webhook: 'Webhooks and their deliveries.',
  plan: 'Calls waiting for approval.',
  device: 'Power, console, images, reloads, statistics and hardware of a dedicated server or virtual machine.',
  machine: 'Self-service virtual machines: order, delete, snapshots, backups and volumes.',
  dns: 'Zones, records and reverse DNS.',
  network: 'Addresses, anomalies, switch ports and traffic.',
  ipmi: 'IPMI of a dedicated server.',
  client: 'Contacts of the account.',
  vps: 'Virtual machines.',
  software: 'Software licences.',
  billing: 'Balance and invoices.',
};

const operatorTagDescriptions: Record<string, string> = {
  operator: 'Sign-in, second factors, operators and their roles.',
  account: 'Customer accounts.',
  key: 'Customers’ keys, impersonation, and the audit logs of all accounts.',
  service: 'Customers’ services, from provisioning to termination.',
  device: 'Servers and virtual machines, their restrictions and hardware.',
  request: 'Customers’ requests for addresses.',
  'sign-up': 'Sign-ups waiting for approval, and invitations to sign up.',
  nullroute: 'Null routes of all customers.',
  work: 'Background workflows and jobs.',
  billing: 'Billing runs and customers’ accounts: ledger, payments, corrections and dunning.',
  report: 'Reports on revenue, receivables, taxes and payments, and their export.',
  payment: 'Payment methods, charges and refunds.',
  sepa: 'Files for the bank, and bank statements.',
  backup: 'Backups of the installation.',
  maintenance: 'Planned maintenance, and its announcement to customers.',
  mail: 'Email to all customers, and previews of messages.',
  fleet: 'Equipment, racks and address blocks at a glance, with change notifications.',
};

const common = `Every response is an object with \`success\`, \`results\` and \`result\`. An error has a status of 400 or above,
\`success: false\` and \`results: 0\`; send \`Accept: application/problem+json\` to get RFC 9457 instead.

Parameters can be sent in the path, the query string, a JSON body or a form body; a parameter with two different values is rejected. In
JSON, an id may be a number or a string of digits. An unsupported method gets 405 and \`Allow\`.

Send an \`Idempotency-Key\` with a change to make it safe to retry: a retry with the same parameters changes nothing and returns
the first response.`;

const infos: Record<ApiName, Json> = {
  operator: {
    title: 'Hostyard operator API',
    version: '1.0.0',
    description: `${common}\n\nFor the provider’s staff. Send the key as \`X-API-KEY\` or as \`Authorization: Bearer\`; \`x-scope\` is the permission that the operator’s role needs. Unknown parameters are rejected by name.`,
  },
  v2: {
    title: 'Hostyard API, version 2',
    version: '2.0.0',
    description: `${common}\n\nSend the key as \`X-API-KEY\` or as \`Authorization: Bearer\`. Unknown parameters are rejected by name.`,
  },
  legacy: {
    title: 'Hostyard API, legacy',
    version: '1.0.0',
    description: `${common}\n\nSend the key as \`X-API-KEY\`. Unknown parameters are ignored. A path that is listed only as GET also accepts POST.`,
  },
};

const keyHeader = { type: 'apiKey', in: 'header', name: 'X-API-KEY' };
const securitySchemes: Record<ApiName, Json> = {
  v2: { ApiKey: keyHeader, Bearer: { type: 'http', scheme: 'bearer' } },
  legacy: { ApiKey: keyHeader },
  operator: { ApiKey: keyHeader, Bearer: { type: 'http', scheme: 'bearer' } },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes it safe to repeat the request; valid for 7 days, at most 255 characters, bare or quoted',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export function openapiDocument(api: ApiName): Json {
  const components = gatherComponents();
  const paths: Record<string, Json> = {};
  for (const [name, declaration] of Object.entries(apis[api] as Api)) {
    for (const [index, form] of pathForms(declaration).entries()) {
      // The second, longer path of an endpoint is a separate operation.
      const inPath = index > 0 ? form.names.at(-1) : undefined;
      const operationId = inPath === undefined ? name : `${name}By${capitalised(inPath)}`;
      const summary = inPath === undefined ? declaration.summary : `${declaration.summary}; \`${inPath}\` in the path`;
      const path = (paths[form.path] ??= {});
      path[declaration.method.toLowerCase()] = operation({ operationId, summary, declaration, form, api, components });
    }
  }
  const descriptions = api === 'operator' ? operatorTagDescriptions : tagDescriptions;
  const tags = [...new Set(Object.values(apis[api] as Api).map(({ tag }) => tag))];
  return {
    openapi: '3.1.1',
    info: { ...infos[api], license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name, description: descriptions[name] })),
    security: Object.keys(securitySchemes[api]).map((scheme) => ({ [scheme]: [] })),
    paths,
    components: {
      securitySchemes: securitySchemes[api],
      headers,
      parameters: { IdempotencyKey: idempotencyKey },
      schemas: { ...failureSchemas(api), ...components.written('schemas') },
      responses: components.written('responses'),
    },
  };
}

interface OperationParts {
  readonly operationId: string;
  readonly summary: string;
  readonly declaration: Endpoint;
  readonly form: PathForm;
  readonly api: ApiName;
  readonly components: Components;
}

function operation(parts: OperationParts): Json {
  const { operationId, summary, declaration, form, api, components } = parts;
  const canonical = (name: string): string => declaration.aliases?.[name] ?? name;
  const inPath = form.names.map((name) => {
    const schema = components.schema(declaration.params[canonical(name)]!);
    return { name, in: 'path', required: true, schema };
  });
  const pathParams = new Set(form.names.map(canonical));
  const others = Object.entries(declaration.params).filter(([name]) => !pathParams.has(name));
  const hasBody = declaration.method !== 'GET' && others.length > 0;
  const inQuery = others.map(([name, schema]) => ({
    name,
    in: 'query',
    required: !Type.IsOptional(schema),
    schema: parameterSchema(name, schema, declaration, components),
  }));
  const repeatable = effectOf(declaration) === 'none' ? [] : [reference('parameters', 'IdempotencyKey')];
  const parameters = [...inPath, ...(hasBody ? [] : inQuery), ...repeatable];
  return {
    operationId,
    tags: [declaration.tag],
    summary,
    ...descriptionOf(declaration),
    'x-scope': declaration.access,
    ...(declaration.command === undefined ? {} : { 'x-command': declaration.command }),
    ...(declaration.reading === undefined ? {} : { 'x-reading-scope': declaration.reading.access }),
    ...(isAddition(api, declaration) ? { 'x-addition': true } : {}),
    ...(costOf(declaration) === 1 ? {} : { 'x-cost': costOf(declaration) }),
    ...(declaration.costPerKilobyte === undefined ? {} : { 'x-cost-per-kilobyte': declaration.costPerKilobyte }),
    ...(declaration.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: requestBody(others, parts) } : {}),
    responses: responsesOf(declaration, components),
  };
}

function descriptionOf({ description, reading }: Endpoint): Json {
  const sentences = [description, reading && readingSentence(reading)].filter(Boolean);
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

function readingSentence({ parameter, values, access }: Reading): string {
  const ways = values.map((value) =>
    value === undefined ? `without \`${parameter}\`` : `with \`${parameter}\` \`${value}\``,
  );
  return `${capitalised(ways.join(' or '))} it only reads, and the scope \`${access}\` suffices.`;
}

function requestBody(
  params: readonly (readonly [string, TSchema])[],
  { operationId, declaration, api, components }: OperationParts,
): Json {
  const required = params.filter(([, schema]) => !Type.IsOptional(schema)).map(([name]) => name);
  const schema = components.add('schemas', `${capitalised(operationId)}Input`, {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      params.map(([name, schema]) => [name, parameterSchema(name, schema, declaration, components)]),
    ),
    ...(api === 'legacy' ? {} : { additionalProperties: false }),
  });
  return {
    description: 'The same parameters are accepted in the query string.',
    required: required.length > 0,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  };
}

function parameterSchema(name: string, schema: TSchema, declaration: Endpoint, components: Components): Json {
  const written = components.schema(schema);
  const aliases = Object.entries(declaration.aliases ?? {}).filter(([, canonical]) => canonical === name);
  const notes = fieldPermissions(declaration, [name]).map(
    ([, permission]) => `Needs the permission \`${permission}\` (${rolesWith(permission).join(', ')}).`,
  );
  if (aliases.length > 0) notes.push(`Also accepted as ${aliases.map(([alias]) => `\`${alias}\``).join(', ')}.`);
  if (notes.length === 0) return written;
  return { ...written, description: [written['description'], ...notes].filter(Boolean).join(' ') };
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
