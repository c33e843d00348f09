// Reads a BMC's FRU inventory in pieces.
import { getFruInventoryArea, readFruData, type FruArea } from './commands/storage.ts';
import type { Connection } from './connection.ts';
import { IpmiError } from './error.ts';
import { decodeFru, type FruInventory } from './fru.ts';

// Supported by every BMC in one response.
const pieceBytes = 16;

export async function readFru(connection: Connection, fru: number, signal?: AbortSignal): Promise<FruInventory> {
  const area = await getFruArea(connection, fru, signal);
  const unitBytes = area.isAccessedByWords ? 2 : 1;
  const pieces: Buffer[] = [];
  for (let at = 0; at < area.bytes;) {
    const count = Math.min(pieceBytes, area.bytes - at);
    const request = { fru, offset: at / unitBytes, count: Math.ceil(count / unitBytes) };
    const piece = await connection.call(readFruData, request, signal);
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  const inventory = decodeFru(Buffer.concat(pieces));
  if (inventory === undefined) throw new IpmiError('badResponse', 'the BMC sent an invalid FRU inventory');
  return inventory;
}

/** A BMC without an inventory may support the command and reject the device. */
async function getFruArea(connection: Connection, fru: number, signal?: AbortSignal): Promise<FruArea> {
  try {
    return await connection.call(getFruInventoryArea, fru, signal);
  } catch (error) {
    if (!(error instanceof IpmiError) || error.kind !== 'rejected') throw error;
    const { completionCode } = error;
    throw new IpmiError('unsupported', 'the BMC has no FRU inventory', {
      ...(completionCode === undefined ? {} : { completionCode }),
      cause: error,
    });
  }
}
