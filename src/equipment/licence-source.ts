// Where licence keys come from: the provider's own hook, if it has one. It is asked again until it has the key, and is asked
// by the order's number, so that it buys a licence once. Without a hook, the provider's staff give the key by hand.
import { isDeepStrictEqual } from 'node:util';
import type { SecretBox } from '#kernel/secrets.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries, Store } from '#store/store.ts';

export interface LicenceRequest {
  readonly order: string;
  readonly license: string;
  readonly service: string;
  readonly account: string;
}

const metaName = 'licence hook';
const answerWithinMs = 10_000;
const longestAnswerBytes = 16_384;
const longestKey = 4096;

export interface LicenceHook {
  readonly url: string;
  readonly secret: string;
}

/** What is there already stays as it is sealed: the same site file again changes nothing. */
export async function licenceHookPut(
  queries: Queries,
  secrets: SecretBox,
  hook: LicenceHook | undefined,
): Promise<void> {
  const before = await licenceHook(queries, secrets);
  if (isDeepStrictEqual(before, hook)) return;
  await metaPut(queries, metaName, hook === undefined ? '' : secrets.seal(JSON.stringify(hook), metaName));
}

async function licenceHook(queries: Queries, secrets: SecretBox): Promise<LicenceHook | undefined> {
  const sealed = (await metaFind(queries, metaName)) ?? '';
  return sealed === '' ? undefined : (JSON.parse(secrets.open(sealed, metaName)) as LicenceHook);
}

/** Undefined where there is no key yet, whatever the reason: it is asked again. */
export async function licenceKeyFrom(
  parts: { readonly store: Store; readonly secrets: SecretBox },
  wanted: LicenceRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hook = await licenceHook(parts.store.queries, parts.secrets);
  if (hook === undefined) return undefined;
  const { Webhook: Signer } = await import('standardwebhooks');
  const body = JSON.stringify(wanted);
  const at = new Date();
  const id = `licence-${wanted.order}`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Signer(Buffer.from(hook.secret).toString('base64')).sign(id, at, body),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  try {
    const answer = await fetch(hook.url, { method: 'POST', headers, body, redirect: 'error', signal: limit });
    const text = await shortText(answer);
    return answer.status === 200 && text !== undefined ? keyIn(text) : undefined;
  } catch {
    // Silence, a refusal and an answer that is no JSON are one: there is no key yet.
    return undefined;
  }
}

/** Undefined where it is too long; the rest of it is not waited for. */
async function shortText({ body }: Response): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > longestAnswerBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function keyIn(text: string): string | undefined {
  const { key } = JSON.parse(text) as { key?: unknown };
  return typeof key === 'string' && key !== '' && key.length <= longestKey ? key : undefined;
}
