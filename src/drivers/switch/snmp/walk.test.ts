import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ObjectType, type Varbind } from 'net-snmp';
import { ApiError } from '#lib/api-error.ts';
import { type BulkRequest, type SnmpSession, TooBigError } from '../../snmp/session.ts';
import { maxVarbinds, walk } from './walk.ts';

const columnA = '1.3.6.1.2.1.31.1.1.1.6';
const columnB = '1.3.6.1.2.1.31.1.1.1.10';
const otherVarbind = { oid: '1.3.6.1.2.1.99.1', type: ObjectType.Integer, value: 1 };
const endOfView = { oid: columnB, type: ObjectType.EndOfMibView, value: null };

/** An agent with these rows in both columns; `alter` may change its responses. */
function agent(rows: number, alter: (columns: Varbind[][], request: BulkRequest, turn: number) => Varbind[][]) {
  const requests: BulkRequest[] = [];
  const next = (from: string, repetitions: number): Varbind[] => {
    const column = from.startsWith(`${columnB}.`) || from === columnB ? columnB : columnA;
    const cursor = from === column ? 0 : Number(from.slice(column.length + 1));
    return Array.from({ length: repetitions }, (_, index) => {
      const row = cursor + index + 1;
      if (row > rows) return column === columnB ? endOfView : otherVarbind;
      return { oid: `${column}.${row}`, type: ObjectType.Counter, value: row };
    });
  };
  const session: SnmpSession = {
    get: () => assert.fail(),
    set: () => assert.fail(),
    close: () => {},
    async getBulk(request) {
      requests.push(request);
      const columns = request.columns.map((oid) => next(oid, request.repetitions));
      return { scalars: [], columns: alter(columns, request, requests.length) };
    },
  };
  return { session, requests };
}

const read = (session: SnmpSession) => walk(session, { columns: [columnA, columnB] }, AbortSignal.timeout(10_000));
const rejectsWith = (work: Promise<unknown>, pattern: RegExp) =>
  assert.rejects(work, (error: unknown) => {
    return error instanceof ApiError && error.code === 'switch_error' && pattern.test(error.internal ?? '');
  });

describe('a column walk', () => {
  it('requests one frame at a time', async () => {
    const { session, requests } = agent(48, (columns) => columns);
    const { columns } = await read(session);
    assert.deepEqual(
      columns.map((column) => column.size),
      [48, 48],
    );
    assert.equal(requests.length, 2);
    assert.ok(requests.every(({ repetitions, columns }) => repetitions * columns.length <= maxVarbinds));
  });

  it('continues wherever a response was cut off, even within a row', async () => {
    const { session } = agent(48, ([first, second], request) =>
      request.columns.length === 2 ? [first!.slice(0, 3), second!.slice(0, 2)] : [first!.slice(0, 1)],
    );
    const { columns } = await read(session);
    assert.deepEqual([...columns[1]!.keys()], [...columns[0]!.keys()]);
    assert.equal(columns[1]!.size, 48);
  });

  it('handles a response with only the first column', async () => {
    const { session } = agent(5, (columns, _, turn) => (turn === 1 ? columns.slice(0, 1) : columns));
    assert.equal((await read(session)).columns[1]!.size, 5);
  });

  it('requests less if the agent cannot send as much', async () => {
    const { session, requests } = agent(30, (columns, { repetitions }) => {
      if (repetitions > 6) throw new TooBigError();
      return columns;
    });
    assert.equal((await read(session)).columns[0]!.size, 30);
    assert.deepEqual(
      requests.slice(0, 3).map(({ repetitions }) => repetitions),
      [27, 13, 6],
    );
  });

  it('stops at loops, endless tables and empty responses', async () => {
    const first = agent(9, (columns) => columns);
    const circle: SnmpSession = {
      ...first.session,
      getBulk: (request, signal) =>
        first.session.getBulk({ ...request, columns: [columnA, columnB], repetitions: 3 }, signal),
    };
    await rejectsWith(read(circle), /loop/);
    await rejectsWith(read(agent(1e9, (columns) => columns).session), /no end/);
    await rejectsWith(read(agent(9, () => []).session), /empty response/);
    const tooBig = agent(9, () => {
      throw new TooBigError();
    });
    await rejectsWith(read(tooBig.session), /single row/);
  });
});
