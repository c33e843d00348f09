// An access point that enforces the protocol of docs/guides/invoice-delivery.md: it rejects every request that the guide
// does not allow, and takes a document once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signHook, hookSecret } from '#lib/hook-signature.ts';

export const accessPointToken = 'token-of-the-access-point';
export const accessPointHookSecret = `whsec_${Buffer.from('secret of the access point').toString('base64')}`;

export interface TakenDocument {
  readonly id: string;
  readonly sender: { readonly scheme: string; readonly id: string };
  readonly receiver: { readonly scheme: string; readonly id: string };
  readonly documentType: string;
  readonly process: string;
  readonly document: string;
  status: 'accepted' | 'delivered' | 'rejected';
  reason: string;
}

export interface AccessPointServer extends AsyncDisposable {
  readonly url: string;
  readonly taken: Map<string, TakenDocument>;
  /** Requests that broke the protocol. */
  readonly violations: string[];
  /** How the next requests fail; undefined if they do not. `lost` takes the document and does not answer. */
  failure: 'down' | 'page' | 'lost' | undefined;
  /** Called before and after a document is taken; the connection is then dropped if it returns true. */
  interrupt: (when: 'before' | 'after') => boolean | Promise<boolean>;
  /** Receivers that are not in the network, as scheme and identifier. */
  readonly unknownReceivers: Set<string>;
}

const members = ['document', 'documentType', 'id', 'process', 'receiver', 'sender'];

export async function startAccessPoint(): Promise<AccessPointServer> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const violate = (what: string) => {
      accessPoint.violations.push(what);
      return answer(400, { reason: what });
    };
    if (request.headers.authorization !== `Bearer ${accessPointToken}`) return answer(401, {});
    if (accessPoint.failure === 'down') return answer(503, {});
    if (accessPoint.failure === 'page') return response.writeHead(200).end('<html>Maintenance</html>');
    const [, path, id] = /^\/v1(\/documents)(?:\/([^/]+))?$/.exec(request.url ?? '') ?? [];
    if (path === undefined) return violate(`unknown path ${request.url}`);
    if (request.method === 'GET') {
      const known = accessPoint.taken.get(decodeURIComponent(id ?? ''));
      return known === undefined ? answer(404, {}) : answer(200, { status: known.status, reason: known.reason });
    }
    if (request.method !== 'POST' || id !== undefined) return violate('method');
    const input = JSON.parse(text) as TakenDocument;
    if (JSON.stringify(Object.keys(input).toSorted()) !== JSON.stringify(members)) return violate('members');
    if (request.headers['idempotency-key'] !== input.id) return violate('idempotency-key');
    for (const address of [input.sender, input.receiver])
      if (!/^[0-9A-Z]{2,4}$/.test(address.scheme) || address.id === '') return violate('address');
    if (!input.documentType.startsWith('urn:oasis:names:specification:ubl:schema:xsd:')) return violate('documentType');
    const xml = Buffer.from(input.document, 'base64').toString();
    const [, customization] = /##(.*)::/.exec(input.documentType) ?? [];
    if (!xml.includes(`<cbc:CustomizationID>${customization}<`)) return violate('document of another type');
    if (!xml.includes(`<cbc:ProfileID>${input.process}<`)) return violate('document of another process');
    if (accessPoint.unknownReceivers.has(`${input.receiver.scheme}:${input.receiver.id}`))
      return answer(422, { reason: 'The receiver is not registered for this kind of document' });
    if (await accessPoint.interrupt('before')) return void request.socket.destroy();
    const known = accessPoint.taken.get(input.id);
    if (known !== undefined && known.document !== input.document) return answer(409, {});
    if (known === undefined) accessPoint.taken.set(input.id, { ...input, status: 'accepted', reason: '' });
    if (accessPoint.failure === 'lost' || (await accessPoint.interrupt('after'))) return void request.socket.destroy();
    return answer(known === undefined ? 202 : 200, { status: 'accepted', reference: `AP-${accessPoint.taken.size}` });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accessPoint: AccessPointServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    taken: new Map(),
    violations: [],
    failure: undefined,
    interrupt: () => false,
    unknownReceivers: new Set(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return accessPoint;
}

/** Sends a signed report as the access point does. */
export async function reportDelivery(appUrl: string, now: number, report: object, secret = accessPointHookSecret) {
  const body = JSON.stringify(report);
  const timestamp = Math.floor(now / 1000);
  const headers = {
    'webhook-id': 'report-1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signHook(hookSecret(secret)!, 'report-1', timestamp, body),
  };
  return (await fetch(`${appUrl}/hooks/invoices/access-point`, { method: 'POST', headers, body })).status;
}
