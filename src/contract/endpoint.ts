// The declaration of an endpoint, from which routes, validation, OpenAPI, the API reference, test sweeps and the SDK
// are derived. Pure data, without handlers or anything else of the server.
import { Type, type Static, type TOptional, type TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { GeneratedPassword, PasswordCheck, PasswordHash, Secret } from './parameters.ts';
import type { Permission } from './roles.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
export type Parameters = Readonly<Record<string, TSchema>>;

/**
 * What a call changes, which decides how it is made safe to repeat: `none` changes nothing; `stored` is one database
 * transaction, which includes the audit entry and the stored response; `equipment` acts on a device, so the
 * Idempotency-Key is claimed before and the response stored after.
 */
export type Effect = 'none' | 'stored' | 'equipment';

/** Some older endpoints read or change something, depending on a parameter. */
export interface Reading {
  readonly parameter: string;
  /** The values with which a call only reads; undefined if the parameter is omitted. */
  readonly values: readonly (string | undefined)[];
  /** The scope that suffices for reading. The one for changing does too. */
  readonly access: Scope;
}

export type Access = Scope | Permission | 'public' | 'any';

/**
 * Sessions of customers that can do less than others: a member of staff views the account, or staff chose the password
 * and the customer has to replace it first.
 */
export type LimitedSession = 'support' | 'temporary-password';

/**
 * What a call that changes how people sign in needs in addition to a key. `caller`: a session, and in the call the caller's own
 * password, a code or a passkey, which is checked before the handler runs; `forgetfactors`: the same if that flag is
 * set. `earlier`: completes what a call with a proof began. `authority`: concerns people over whom the caller's scopes or
 * role give authority, never the caller.
 */
export type SignInProof = 'caller' | 'forgetfactors' | 'earlier' | 'authority';

export interface EndpointBase {
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The scope that a key needs, or the permission that an operator needs. There is no default, so that omitting it
   * does not compile.
   */
  readonly access: Access;
  /** Changes how people sign in, for which a session, which may have been stolen, is not enough. */
  readonly proof?: SignInProof;
  /** For endpoints open to any key: the limited sessions that can call them too. */
  readonly limitedSessions?: readonly LimitedSession[];
  /** None, if omitted. */
  readonly params?: Parameters;
  /** Other names that callers may use for a parameter, each with the declared name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Parameters that identify what a call acts on, in the order in which the audit log lists them. Secrets do not compile. */
  readonly target?: readonly string[];
  /** A text, if omitted. */
  readonly result?: TSchema;
  /**
   * Three endpoints return `results` as a string: always "0", or the count. All others return the count as a number.
   */
  readonly resultsAs?: 'zero-string' | 'count-string';
  /** Works although the provider has locked the device or maintains it, because it does not touch the device. */
  readonly ignoresHold?: true;
  /** Reads what was recorded, so that it also works for a terminated service: up to its end, and never what came after. */
  readonly history?: true;
  /** Also available as server-sent events, if the caller accepts `text/event-stream`. */
  readonly streams?: true;
  /** For operator endpoints: the command after `hostyard operator`. */
  readonly command?: string;
  /** Returns a file of this type, and the envelope only for errors. */
  readonly file?:
    | 'application/pdf'
    | 'application/xml'
    | 'application/zip'
    | 'text/csv'
    | 'text/plain; version=0.0.4; charset=utf-8';
  /** Returns the result without an envelope, with this status; 204 has no body. */
  readonly bareStatus?: 200 | 201 | 204;
  /** How much of a key's rate limit a call uses. One unit is about two milliseconds of CPU. See `costOf`. */
  readonly cost?: number;
  /** Of the body, if more is allowed than the usual megabyte. */
  readonly maxBodyBytes?: number;
  /** Added to the cost for each kilobyte of the body. */
  readonly costPerKilobyte?: number;
  /** The server generates a password: always, or if this flag is set. It is hashed before the transaction starts. */
  readonly generatesPassword?: 'always' | 'newpassword';
  /** Opens a session, in a cookie if the parameter `cookie` is true; or ends the caller's. */
  readonly session?: 'opens' | 'ends';
  /** Changes zones: an external name server must publish the change before it is committed. */
  readonly publishes?: true;
  readonly errors?: readonly ErrorCode[];
  /** Of v2 and legacy: not part of their public specifications. See `isAddition`. */
  readonly addition?: true;
}
type Declaration = EndpointBase &
  (
    | {
        readonly method: 'GET';
        /**
         * For a GET of the public specifications that changes something nevertheless: it is audited and accepts an
         * Idempotency-Key like any change.
         */
        readonly effect?: 'equipment';
        readonly reading?: never;
      }
    | { readonly method: Exclude<Method, 'GET'>; readonly effect: Effect; readonly reading?: Reading }
  );

const defaults = { params: {}, result: Type.String() };
type Completed<D extends Declaration> = D & Omit<typeof defaults, keyof D>;
export type Endpoint = Declaration & Required<Pick<EndpointBase, keyof typeof defaults>>;

type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;
type KnownName<E> =
  | (E extends { params: infer P } ? keyof P : never)
  | (E extends { aliases: infer A } ? keyof A : never);
type SecretValue = Secret | PasswordHash | PasswordCheck;
type TargetName<P> = {
  [Name in keyof P]: P[Name] extends TSchema ? (Static<P[Name]> extends SecretValue ? never : Name) : never;
}[keyof P];
type CheckedPath<D extends Declaration> = [PathParameter<D['path']>] extends [KnownName<D>]
  ? unknown
  : {
      readonly params: `no schema for the path parameter {${Exclude<PathParameter<D['path']>, KnownName<D>> & string}}`;
    };
type Checked<D extends Declaration> = CheckedPath<D> & { readonly target?: readonly TargetName<D['params']>[] };

export function endpoint<const D extends Declaration>(declaration: D & Checked<D>): Completed<D> {
  return { ...defaults, ...declaration };
}

export type Api = Readonly<Record<string, Endpoint>>;
type OptionalNames<P extends Parameters> = { [K in keyof P]: P[K] extends TOptional ? K : never }[keyof P];
type Plain<T> = { [K in keyof T]: T[K] };
type GeneratedOf<E> = E extends { generatesPassword: 'always' }
  ? { readonly generatedPassword: GeneratedPassword }
  : E extends { generatesPassword: string }
    ? { readonly generatedPassword?: GeneratedPassword }
    : unknown;
/** The input of a handler: every declared parameter, checked and with its declared type. */
export type InputOf<E extends Endpoint> = E extends { params: infer P extends Parameters }
  ? Plain<
      { readonly [K in Exclude<keyof P, OptionalNames<P>>]: Static<P[K]> } & {
        readonly [K in OptionalNames<P>]?: Static<P[K]>;
      } & GeneratedOf<E>
    >
  : never;
/**
 * One handler per declaration; a missing or misspelt one does not compile. Endpoints without a key get a visitor
 * instead of a caller.
 */
export type Handlers<F extends Api, Context, Visitor> = {
  readonly [Name in keyof F]: (
    context: F[Name]['access'] extends 'public' ? Visitor : Context,
    input: InputOf<F[Name]>,
  ) => Promise<Static<F[Name]['result']>> | Static<F[Name]['result']>;
};

/** Returns the further permissions that the given fields need, by field. */
export function fieldPermissions({ params }: Endpoint, names: readonly string[]): [name: string, Permission][] {
  return names.flatMap((name) => {
    const { 'x-permission': permission } = (params[name] ?? {}) as { 'x-permission'?: Permission };
    return permission === undefined ? [] : [[name, permission]];
  });
}

/** Returns true if a call with these parameters must prove who the caller is. */
export function needsProof({ proof }: Endpoint, input: Readonly<Record<string, unknown>>): boolean {
  return proof === 'caller' || (proof === 'forgetfactors' && input['forgetfactors'] === true);
}

export function effectOf(declaration: Endpoint): Effect {
  return declaration.effect ?? 'none';
}
/** A call to equipment takes the device's lock, talks to the device, and records the beginning and the outcome. */
const equipmentCost = 3;
/** Returns how much of a key's rate limit a call uses. */
export function costOf(declaration: Endpoint): number {
  return declaration.cost ?? (effectOf(declaration) === 'equipment' ? equipmentCost : 1);
}
/** Returns true if a call with these parameters only reads, at an endpoint that can do both. */
export function isReading({ reading }: Endpoint, input: Readonly<Record<string, unknown>>): boolean {
  return reading !== undefined && reading.values.includes(input[reading.parameter] as string | undefined);
}
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
