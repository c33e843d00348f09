// A real OpenID Connect provider on loopback, with people whose claims a test can change, and ID tokens that it can forge
// as a hostile provider would: signed with the right key, but with other claims.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { generateKeyPairSync, randomUUID, sign, createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { withResources } from './resources.ts';

export interface IdentityPerson {
  readonly email: string;
  readonly email_verified?: boolean;
  readonly groups: readonly string[];
}
type Claims = Record<string, unknown>;
interface TokenContext {
  readonly oidc?: { readonly route?: string };
  body?: { id_token?: string };
}
interface OidcProvider {
  use(middleware: (context: TokenContext, next: () => Promise<void>) => Promise<void>): void;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  readonly Grant: new (fields: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly people: Map<string, IdentityPerson>;
  /** Changes the claims of the next ID tokens. */
  forge: (claims: Claims) => Claims;
  /** Replaces parts of its metadata. */
  metadata: Record<string, string>;
  /** Signs in at the provider's page, like a browser, and returns where it sends the browser. */
  signIn(url: string, subject: string): Promise<string>;
  /** How many requests it got for this path. */
  requestsTo(path: string): number;
  stop(): Promise<void>;
}

export async function startIdentityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  await using owned = new AsyncDisposableStack();
  const { default: Provider } = (await import('oidc-provider' as string)) as {
    default: new (issuer: string, configuration: object) => OidcProvider;
  };
  const clientId = 'hostyard';
  const clientSecret = randomUUID();
  const people = new Map<string, IdentityPerson>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig', alg: 'RS256' };
  const requests: string[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    requests.push(request.url!.split('?')[0]!);
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  owned.defer(stop);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [jwk] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 86_400, Interaction: 600, Session: 600 },
    findAccount: (_context: unknown, subject: string) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...people.get(subject) }),
    }),
    // Without asking for consent.
    loadExistingGrant: async ({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
  });
  const result = withResources(owned, {
    issuer,
    clientId,
    clientSecret,
    people,
    forge: (claims: Claims): Claims => claims,
    metadata: {},
    signIn: (url: string, subject: string) => signIn(issuer, url, subject),
    requestsTo: (path: string) => requests.filter((request) => request === path).length,
    stop,
  });
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === 'discovery') Object.assign(context.body!, result.metadata);
    const token = context.oidc?.route === 'token' ? context.body?.id_token : undefined;
    if (token === undefined) return;
    const [header, payload] = token.split('.') as [string, string];
    const claims = result.forge(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims);
    const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const key = createPrivateKey({ key: jwk as never, format: 'jwk' });
    context.body!.id_token = `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  });
  handle = provider.callback();
  return result;
}

async function signIn(issuer: string, url: string, subject: string): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (address: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split(/=(.*)/s) as [string, string];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${address} responded with ${response.status}: ${await response.text()}`);
    return new URL(location, address).href;
  };
  const interaction = await visit(url);
  if (!interaction.startsWith(`${issuer}/interaction/`)) return interaction;
  return visit(await visit(interaction, { prompt: 'login', login: subject, password: 'any' }));
}
