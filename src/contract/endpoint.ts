// The shape of a declaration. One declaration per endpoint is all that the system knows of it: routes, validation,
// OpenAPI, the reference page, the sweeps and the SDK are derived. Pure data: no handler, nothing of the server.
import type { Static, TOptional, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Power } from './roles.ts';
import type { Scope } from './scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Parameters = Readonly<Record<string, TSchema>>;

/** What a call leaves behind, which decides how it is made safe to repeat:
 * `none` changes nothing; `stored` is one database transaction, with its audit row and its idempotent answer inside;
 * `equipment` acts on a device, so the key is claimed before and the answer written after. */
export type Effect = 'none' | 'stored' | 'equipment';

/** Some older paths read or change, as one of their parameters says. */
export interface Reading {
  readonly parameter: string;
  /** The values with which a call only reads; undefined where the parameter is left out. */
  readonly values: readonly (string | undefined)[];
  /** The scope that is enough to read. The one that changes is too. */
  readonly access: Scope;
}

export type Access = Scope | Power | 'public' | 'any';

interface EndpointBase {
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope that a key needs, or the power that an operator needs. There is no default: forgetting it does not compile. */
  readonly access: Access;
  readonly params: Parameters;
  /** Other names under which callers send a parameter: alias to declared name. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly result: TSchema;
  /** Three endpoints carry `results` as a string: always "0", or the count. All others carry the count as a number. */
  readonly resultsAs?: 'zero-string' | 'count-string';
  /** The same as server-sent events, for a caller that accepts `text/event-stream`. */
  readonly streams?: true;
  /** Of the operator's side: its words on the command line, after `hostyard operator`. */
  readonly command?: string;
  /** Answers a file of this type, and the envelope only where it is refused. */
  readonly file?: 'application/pdf';
  /** How much of a key's budget a call takes; 1 unless told. One is about two milliseconds of a processor. */
  readonly cost?: number;
  /** Changes zones: a name server that is not our own has to show the change before it may be committed. */
  readonly publishes?: true;
  readonly errors?: readonly ErrorCode[];
  /** True for what the two public documents do not have. */
  readonly addition?: true;
}
export type Endpoint = EndpointBase &
  (
    | {
        readonly method: 'GET';
        /** For a GET of the public documents that acts nevertheless: it is audited and takes an Idempotency-Key as any change. */
        readonly effect?: 'equipment';
        readonly reading?: never;
      }
    | { readonly method: 'POST' | 'PUT' | 'DELETE'; readonly effect: Effect; readonly reading?: Reading }
  );

type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;
type KnownName<E> =
  | (E extends { params: infer P } ? keyof P : never)
  | (E extends { aliases: infer A } ? keyof A : never);
type Checked<E extends Endpoint> = [PathParameter<E['path']>] extends [KnownName<E>]
  ? unknown
  : {
      readonly params: `no schema for the path parameter {${Exclude<PathParameter<E['path']>, KnownName<E>> & string}}`;
    };

export function endpoint<const E extends Endpoint>(declaration: E & Checked<E>): E {
  return declaration;
}

export type Face = Readonly<Record<string, Endpoint>>;
type OptionalNames<P extends Parameters> = { [K in keyof P]: P[K] extends TOptional ? K : never }[keyof P];
type Plain<T> = { [K in keyof T]: T[K] };
/** What a handler gets: every declared parameter, checked and in its declared type. */
export type InputOf<E extends Endpoint> = E extends { params: infer P extends Parameters }
  ? Plain<
      { readonly [K in Exclude<keyof P, OptionalNames<P>>]: Static<P[K]> } & {
        readonly [K in OptionalNames<P>]?: Static<P[K]>;
      }
    >
  : never;
export type ResultOf<E extends Endpoint> = Static<E['result']>;
/** One handler per declaration: a missing or a misspelt one does not compile. What needs no key gets a visitor, not a caller. */
export type Handlers<F extends Face, Context, Visitor> = {
  readonly [Name in keyof F]: (
    context: F[Name]['access'] extends 'public' ? Visitor : Context,
    input: InputOf<F[Name]>,
  ) => Promise<ResultOf<F[Name]>> | ResultOf<F[Name]>;
};

export function effectOf(declaration: Endpoint): Effect {
  return declaration.effect ?? 'none';
}
/** Whether a call with these parameters only reads, at an endpoint that can do both. */
export function isReading({ reading }: Endpoint, input: Readonly<Record<string, unknown>>): boolean {
  return reading !== undefined && reading.values.includes(input[reading.parameter] as string | undefined);
}
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
