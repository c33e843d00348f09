// One OpenAPI 3.1 document per interface, made from the declarations alone, in the order in which they are declared, so
// that the same declarations always give the same text.
import { type TSchema, Type } from 'typebox';
import { type FaceName, faces } from './contract.ts';
import { type Endpoint, type Face, type Reading, effectOf } from './endpoint.ts';
import { answersOf, failureSchemas, headers } from './openapi-answers.ts';
import { type Json, type Components, gatherComponents, reference } from './openapi-schema.ts';
import { type PathForm, pathForms } from './paths.ts';

const tagDescriptions: Record<string, string> = {
  account: 'The account, its contacts, its balance and its invoices.',
  key: 'API keys, and the log of who did what.',
  session: 'Signing in, second factors and passkeys.',
  action: 'What runs or ran for the account, how far it is and how it ended.',
  event: 'What happened in the account: one log, in pages and as a stream.',
  webhook: 'Events sent to URLs of the customer, and the log of what was sent.',
  plan: 'Calls that wait for a person to agree to them.',
  device: 'Power, console, images, reloads, statistics and parts of a dedicated server or a virtual machine.',
  dns: 'Zones, their records, and the reverse names of addresses.',
  network: 'Addresses, anomalies, switch ports and traffic.',
  ipmi: 'The management controller of a dedicated server.',
  client: 'The contacts of the account.',
  vps: 'Virtual machines.',
  software: 'Software licences.',
  billing: 'Balance and invoices.',
};

const operatorTagDescriptions: Record<string, string> = {
  operator: 'Signing in, second factors, and who of the staff may do what.',
  account: 'Accounts of customers.',
  key: 'Keys of customers, and the audit logs of all accounts.',
  service: 'Services of customers, from the first day to the last.',
  device: 'Servers and machines, held back from customers or looked into.',
  request: 'Requests of customers for addresses.',
  nullroute: 'Null-routes of all customers.',
  work: 'Workflows and jobs in the background.',
  billing: 'Billing runs.',
  backup: 'Copies of all that this installation knows.',
  fleet: 'All that the provider has at a glance: equipment, racks, addresses, and when something of it has changed.',
};

const bothInterfaces = `Every answer is an object with \`success\`, \`results\` and \`result\`. A failure has a proper status number,
\`success: false\` and \`results: 0\`; send \`Accept: application/problem+json\` to get RFC 9457 instead.

Parameters are taken from the path, the query string, a JSON body or a form body alike; a name given twice with different values is
refused. In JSON an id may be a number or a string of digits. A method that a path does not have is answered with 405 and \`Allow\`.

A change can carry an \`Idempotency-Key\`: sent again with the same parameters, it gives the first answer again and does nothing.`;

const infos: Record<FaceName, Json> = {
  operator: {
    title: 'Hostyard API, the operator’s side',
    version: '1.0.0',
    description: `${bothInterfaces}\n\nFor the provider’s staff. The key is sent as \`X-API-KEY\` or as \`Authorization: Bearer\`; \`x-scope\` names the power that the role of its holder needs. Unknown parameters are refused by name.`,
  },
  v2: {
    title: 'Hostyard API, version 2',
    version: '2.0.0',
    description: `${bothInterfaces}\n\nThe key is sent as \`X-API-KEY\` or as \`Authorization: Bearer\`. Unknown parameters are refused by name.`,
  },
  legacy: {
    title: 'Hostyard API, legacy interface',
    version: '1.0.0',
    description: `${bothInterfaces}\n\nThe key is sent as \`X-API-KEY\`. Unknown parameters are ignored. A path that is listed only as GET answers POST the same way.`,
  },
};

const keyHeader = { type: 'apiKey', in: 'header', name: 'X-API-KEY' };
const securitySchemes: Record<FaceName, Json> = {
  v2: { ApiKey: keyHeader, Bearer: { type: 'http', scheme: 'bearer' } },
  legacy: { ApiKey: keyHeader },
  operator: { ApiKey: keyHeader, Bearer: { type: 'http', scheme: 'bearer' } },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the change safe to send again; kept 7 days, at most 255 characters, bare or quoted',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export function openapiDocument(face: FaceName): Json {
  const components = gatherComponents();
  const paths: Record<string, Json> = {};
  for (const [name, declaration] of Object.entries(faces[face] as Face)) {
    const forms = pathForms(declaration);
    for (const [index, form] of forms.entries()) {
      const path = (paths[form.path] ??= {});
      const inPath = form.names.at(-1);
      const again = index > 0 && inPath !== undefined;
      const operationId = again ? `${name}By${capitalised(inPath)}` : name;
      const summary = again ? `${declaration.summary}; \`${inPath}\` in the path` : declaration.summary;
      path[declaration.method.toLowerCase()] = operation({ operationId, summary, declaration, form, face, components });
    }
  }
  const tags = [...new Set(Object.values(faces[face] as Face).map(({ tag }) => tag))];
  return {
    openapi: '3.1.1',
    info: { ...infos[face], license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name, description: tagsOf(face)[name] })),
    security: Object.keys(securitySchemes[face]).map((scheme) => ({ [scheme]: [] })),
    paths,
    components: {
      securitySchemes: securitySchemes[face],
      headers,
      parameters: { IdempotencyKey: idempotencyKey },
      schemas: { ...failureSchemas(face), ...components.written('schemas') },
      responses: components.written('responses'),
    },
  };
}

function tagsOf(face: FaceName): Record<string, string> {
  return face === 'operator' ? operatorTagDescriptions : tagDescriptions;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly declaration: Endpoint;
  readonly form: PathForm;
  readonly face: FaceName;
  readonly components: Components;
}

function operation(described: Described): Json {
  const { operationId, summary, declaration, form, components } = described;
  const canonical = (name: string): string => declaration.aliases?.[name] ?? name;
  const inPath = form.names.map((name) => {
    const schema = components.schema(declaration.params[canonical(name)]!);
    return { name, in: 'path', required: true, schema };
  });
  const taken = new Set(form.names.map(canonical));
  const others = Object.entries(declaration.params).filter(([name]) => !taken.has(name));
  const asQuery = declaration.method === 'GET';
  const inQuery = others.map(([name, schema]) => ({
    name,
    in: 'query',
    required: !Type.IsOptional(schema),
    schema: member(name, schema, declaration, components),
  }));
  const repeatable = effectOf(declaration) === 'none' ? [] : [reference('parameters', 'IdempotencyKey')];
  const parameters = [...inPath, ...(asQuery ? inQuery : []), ...repeatable];
  return {
    operationId,
    tags: [declaration.tag],
    summary,
    ...descriptionOf(declaration),
    'x-scope': declaration.access,
    ...(declaration.command === undefined ? {} : { 'x-command': declaration.command }),
    ...(declaration.reading === undefined ? {} : { 'x-reading-scope': declaration.reading.access }),
    ...(declaration.addition === true ? { 'x-addition': true } : {}),
    ...(declaration.cost === undefined ? {} : { 'x-cost': declaration.cost }),
    ...(declaration.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(asQuery || others.length === 0 ? {} : { requestBody: requestBody(others, described) }),
    responses: answersOf(declaration, components),
  };
}

function descriptionOf({ description, reading }: Endpoint): Json {
  const sentences = [description, reading && readingSentence(reading)].filter((one) => one !== undefined);
  return sentences.length === 0 ? {} : { description: sentences.join(' ') };
}

function readingSentence({ parameter, values, access }: Reading): string {
  const ways = values.map((value) =>
    value === undefined ? `without \`${parameter}\`` : `with \`${parameter}\` \`${value}\``,
  );
  return `${capitalised(ways.join(' or '))} it changes nothing, and the scope \`${access}\` is enough.`;
}

function requestBody(
  params: readonly (readonly [string, TSchema])[],
  { operationId, declaration, face, components }: Described,
): Json {
  const required = params.filter(([, schema]) => !Type.IsOptional(schema)).map(([name]) => name);
  const schema = components.add('schemas', `${capitalised(operationId)}Input`, {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      params.map(([name, schema]) => [name, member(name, schema, declaration, components)]),
    ),
    ...(face === 'legacy' ? {} : { additionalProperties: false }),
  });
  return {
    description: 'The same parameters are taken from the query string.',
    required: required.length > 0,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  };
}

function member(name: string, schema: TSchema, declaration: Endpoint, components: Components): Json {
  const written = components.schema(schema);
  const aliases = Object.entries(declaration.aliases ?? {}).filter(([, canonical]) => canonical === name);
  if (aliases.length === 0) return written;
  const also = `Also taken under the name ${aliases.map(([alias]) => `\`${alias}\``).join(', ')}.`;
  return { ...written, description: [written['description'], also].filter(Boolean).join(' ') };
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
