// Gets licence keys from the provider's hook, if it has one. The hook is called until it has the key, with the order's number, so
// that it buys a licence only once. Without a hook, the provider's staff enter the key.
import { Type } from 'typebox';
import { createSecretKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { signedHookHeaders } from '#lib/hook-signature.ts';
import { readLimited } from '#lib/read-limited.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries, Store } from '#store/store.ts';
import { jsonColumn } from '#store/json-column.ts';

export interface LicenceRequest {
  readonly order: string;
  readonly license: string;
  readonly service: string;
  readonly account: string;
}

const metaName = 'licence hook';
const column = jsonColumn('meta entry "licence hook"', Type.Object({ url: Type.String(), secret: Type.String() }));
const timeoutMs = 10_000;
const maxResponseBytes = 16_384;
const maxKeyLength = 4096;

export interface LicenceHook {
  readonly url: string;
  readonly secret: string;
}

/** Does not seal an unchanged hook again, so that applying the same site file changes nothing. */
export async function storeLicenceHook(
  queries: Queries,
  secrets: SecretBox,
  hook: LicenceHook | undefined,
): Promise<void> {
  const before = await licenceHook(queries, secrets);
  if (isDeepStrictEqual(before, hook)) return;
  await metaPut(queries, metaName, hook === undefined ? '' : secrets.seal(column.encode(hook), metaName));
}

async function licenceHook(queries: Queries, secrets: SecretBox): Promise<LicenceHook | undefined> {
  const sealed = (await metaFind(queries, metaName)) ?? '';
  return sealed === '' ? undefined : column.decode(secrets.open(sealed, metaName));
}

/** Returns undefined if there is no key yet, for any reason: the caller retries. */
export async function fetchLicenceKey(
  parts: { readonly store: Store; readonly secrets: SecretBox },
  request: LicenceRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hook = await licenceHook(parts.store.queries, parts.secrets);
  if (hook === undefined) return undefined;
  const body = JSON.stringify(request);
  const id = `licence-${request.order}`;
  const headers = {
    'content-type': 'application/json',
    ...signedHookHeaders([createSecretKey(Buffer.from(hook.secret))], id, Date.now(), body),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(hook.url, { method: 'POST', headers, body, redirect: 'error', signal: limit });
    const content = await readLimited(response.body, maxResponseBytes);
    return response.status === 200 ? parseKey(content.toString()) : undefined;
  } catch {
    // A timeout, an error and an invalid response all mean that there is no key yet.
    return undefined;
  }
}

function parseKey(text: string): string | undefined {
  const { key } = JSON.parse(text) as { key?: unknown };
  return typeof key === 'string' && key !== '' && key.length <= maxKeyLength ? key : undefined;
}
