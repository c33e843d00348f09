// A server that answers like the REST API of VIES, written from its documented shape. It rejects every request that the
// real one would reject.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ViesServer extends AsyncDisposable {
  readonly url: string;
  /** Numbers with their prefix that are registered, with the name of their holder. */
  readonly registered: Map<string, string>;
  readonly asked: string[];
  /** How the next answers fail; undefined if they do not. */
  failure: 'busy' | 'down' | 'page' | 'silence' | 'other number' | undefined;
}

const memberStates = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);
const members = new Set(['countryCode', 'vatNumber', 'requesterMemberStateCode', 'requesterNumber']);

export async function startViesServer(): Promise<ViesServer> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, error: string) =>
      answer(status, { actionSucceed: false, errorWrappers: [{ error }] });
    if (request.method !== 'POST' || request.url !== '/check-vat-number') return refuse(404, 'NOT_FOUND');
    if (request.headers['content-type'] !== 'application/json') return refuse(415, 'UNSUPPORTED_MEDIA_TYPE');
    const input = JSON.parse(text) as Record<string, string>;
    const { countryCode = '', vatNumber = '', requesterMemberStateCode, requesterNumber } = input;
    if (Object.keys(input).some((name) => !members.has(name))) return refuse(400, 'VOW-ERR-1');
    if (!memberStates.has(countryCode) || !/^[0-9A-Za-z+*.]{2,12}$/.test(vatNumber))
      return refuse(400, 'INVALID_INPUT');
    if ((requesterMemberStateCode === undefined) !== (requesterNumber === undefined))
      return refuse(400, 'INVALID_REQUESTER_INFO');
    vies.asked.push(`${countryCode}${vatNumber}`);
    // The real one reports a busy member state with status 200.
    if (vies.failure === 'busy') return refuse(200, 'MS_MAX_CONCURRENT_REQ');
    if (vies.failure === 'down') return refuse(500, 'MS_UNAVAILABLE');
    if (vies.failure === 'page') return response.writeHead(503).end('<html>Maintenance</html>');
    if (vies.failure === 'silence') return void request.socket.destroy();
    const name = vies.registered.get(`${countryCode}${vatNumber}`);
    return answer(200, {
      countryCode,
      vatNumber: vies.failure === 'other number' ? '000000000' : vatNumber,
      requestDate: '2026-11-17T04:00:00.000Z',
      valid: name !== undefined,
      requestIdentifier: requesterNumber === undefined || name === undefined ? '' : `WAPI${vies.asked.length}`,
      name: name ?? '---',
      address: '---',
      traderNameMatch: 'NOT_PROCESSED',
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const vies: ViesServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registered: new Map(),
    asked: [],
    failure: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return vies;
}
