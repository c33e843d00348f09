// Hands documents to an access point over HTTP, as docs/guides/invoice-delivery.md describes. Providers of access points
// have different APIs, which all need the same few values: a small program translates.
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readLimited } from '#lib/read-limited.ts';
import { AccessPointError, type AccessPoint, type DeliveryReport } from './driver.ts';

const timeoutMs = 30_000;
const maxResponseBytes = 65_536;
const maxTextLength = 500;

export const AccessPointReport = Type.Object({
  status: Type.Enum(['accepted', 'delivered', 'rejected']),
  reference: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
});

export function createAccessPoint({ url, token }: { readonly url: string; readonly token: string }): AccessPoint {
  const base = `${url.replace(/\/$/, '')}/documents`;
  const authorization = `Bearer ${token}`;
  return {
    async send({ id, xml, ...envelope }, signal) {
      const body = JSON.stringify({ id, ...envelope, document: Buffer.from(xml).toString('base64') });
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': id };
      const { status, text } = await call(base, { method: 'POST', headers, body }, signal);
      if (status === 200 || status === 202) return readReport(text);
      if (status === 422) return { ...readReport(text, 'rejected'), status: 'rejected' };
      // It has a document of this name with other contents: an earlier version of us sent it.
      if (status === 409) return requireReport(await this.reportOn(id, signal));
      throw new AccessPointError(`the access point answered with status ${status}`);
    },
    async reportOn(id, signal) {
      const address = `${base}/${encodeURIComponent(id)}`;
      const { status, text } = await call(address, { method: 'GET', headers: { authorization } }, signal);
      if (status === 404) return undefined;
      if (status !== 200) throw new AccessPointError(`the access point answered with status ${status}`);
      return readReport(text);
    },
  };
}

async function call(
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string },
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal: limit });
    const body = await readLimited(response.body, maxResponseBytes);
    return { status: response.status, text: body.toString() };
  } catch (error) {
    throw new AccessPointError(`the access point did not answer: ${(error as Error).message}`, { cause: error });
  }
}

/** `assumed` is the status of an answer that does not name one. */
function readReport(text: string, assumed?: DeliveryReport['status']): DeliveryReport {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw new AccessPointError('the access point answered something that is not JSON', { cause: error });
  }
  const completed = assumed === undefined || typeof answer !== 'object' ? answer : { status: assumed, ...answer };
  if (!Value.Check(AccessPointReport, completed))
    throw new AccessPointError('the access point answered something unknown');
  const { status, reference = '', reason = '' } = completed;
  return { status, reference: reference.slice(0, maxTextLength), reason: reason.slice(0, maxTextLength) };
}

function requireReport(report: DeliveryReport | undefined): DeliveryReport {
  if (report === undefined) throw new AccessPointError('the access point refuses a document that it does not know');
  return report;
}
