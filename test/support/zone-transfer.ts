// Transfers a zone from a name server, as a secondary does.
import assert from 'node:assert/strict';
import { exchange, queryMessage, type ServerAddress } from '#drivers/dns/client.ts';
import { decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { signMessage, tsigErrors, verifyMessage, type TsigKey } from '#protocols/dns/tsig.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';

/** Transfers a zone (AXFR) and verifies each message if there is a key. The SOA comes first, once. */
export async function transferZone(
  server: ServerAddress,
  zone: string,
  signal: AbortSignal,
  key?: TsigKey,
): Promise<Rrset[]> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const plain = encodeMessage({ ...queryMessage(zone, rrTypes.AXFR), edns: undefined });
  const request = key && signMessage(plain, key, { timeSeconds: nowSeconds });
  let priorMac = request?.mac;
  let follows = false;
  const records: Rrset[] = [];
  for await (const bytes of exchange(server, request?.bytes ?? plain, signal)) {
    const message = decodeMessage(bytes);
    if (message.rcode !== rcodes.NOERROR) throw new Error(`the transfer was refused with rcode ${message.rcode}`);
    if (key && priorMac) {
      const { tsig } = message;
      assert.ok(tsig, 'a message of the transfer is not signed');
      assert.equal(verifyMessage(bytes, tsig, key, { nowSeconds, priorMac, follows }), tsigErrors.NONE);
      priorMac = tsig.mac;
      follows = true;
    }
    records.push(...message.answers);
    if (records.length > 1 && records.at(-1)!.type === rrTypes.SOA) return records.slice(0, -1);
  }
  throw new Error('the transfer ended early');
}
