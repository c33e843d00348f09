// net-snmp's agent, as far as the lab's switch uses it: typed, on a socket of ours (the library takes no port 0), with the
// faults in between.
import type { Socket } from 'node:dgram';
import * as snmp from 'net-snmp';
import type { User } from 'net-snmp';

/** What can be wrong with a lab switch, on demand. An empty object is a healthy one. */
export interface LabSwitchFaults {
  /** Hears everything and says nothing. */
  readonly isSilent?: boolean;
  readonly answersAfterMs?: number;
}

export interface AgentOptions {
  readonly socket: Socket;
  readonly communities: { readonly readWrite: string; readonly readOnly?: string };
  readonly user?: User;
  readonly faults: () => LabSwitchFaults;
}

/** So that an answer always fits into a datagram. */
const MOST_VALUES = 200;

type Value = number | string | Buffer;

export interface Column<Row> {
  readonly number: number;
  readonly name: string;
  readonly type: snmp.ObjectType;
  read(row: Row): Value;
  /** Answers whether the value is taken. Absent where the column cannot be written. */
  write?(row: Row, value: number, phase: 'try' | 'do'): boolean;
}

export interface Scalar {
  readonly name: string;
  readonly oid: string;
  readonly type: snmp.ObjectType;
  read(): Value;
}

export interface Table<Row> {
  readonly name: string;
  readonly oid: string;
  /** The first column is the index, unless the table adds columns to the rows of another. */
  readonly augments?: string;
  readonly columns: readonly Column<Row>[];
  /** By index. */
  readonly rows: ReadonlyMap<number, Row>;
}

export interface Agent {
  addScalar(scalar: Scalar): void;
  addTable<Row>(table: Table<Row>): void;
}

/** The library's side, which its types leave open. */
interface LibraryAgent {
  getMib(): {
    setScalarValue(name: string, value: Value): void;
    addTableRow(name: string, row: readonly Value[]): void;
  };
  getAuthorizer(): {
    addCommunity(community: string): void;
    addUser(user: User): void;
    getAccessControlModel(): {
      setCommunityAccess(community: string, level: snmp.AccessLevel): void;
      setUserAccess(name: string, level: snmp.AccessLevel): void;
    };
  };
  registerProvider(provider: Record<string, unknown>): void;
  getBulkRequest(socket: unknown, message: BulkMessage, sender: unknown): void;
}

interface BulkMessage {
  readonly pdu: { readonly nonRepeaters: number; maxRepetitions: number; readonly varbinds: readonly unknown[] };
}

interface LibraryRequest {
  readonly oid: string;
  readonly instanceNode: { value: Value };
  readonly setValue?: Value;
  /** The library asks every writer twice: whether it would, and then to do it. */
  readonly testSet?: boolean;
  readonly commitSet?: boolean;
  done(error?: { errorStatus: snmp.ErrorStatus; type: snmp.ObjectType; value: null }): void;
}

export function createAgent({ socket, communities, user, faults }: AgentOptions): Agent {
  const dgramModule = { createSocket: () => socketWithFaults(socket, faults) };
  const options = { dgramModule, accessControlModelType: snmp.AccessControlModelType.Simple };
  // What comes here are messages with a wrong community or password: like a real switch, the lab's says nothing to them.
  const library = snmp.createAgent(options, () => {}) as LibraryAgent;
  answerWholeRows(library);
  const authorizer = library.getAuthorizer();
  const access = authorizer.getAccessControlModel();
  authorizer.addCommunity(communities.readWrite);
  access.setCommunityAccess(communities.readWrite, snmp.AccessLevel.ReadWrite);
  if (communities.readOnly !== undefined) authorizer.addCommunity(communities.readOnly);
  if (user !== undefined) {
    authorizer.addUser(user);
    access.setUserAccess(user.name, snmp.AccessLevel.ReadWrite);
  }
  return { addScalar: (scalar) => addScalar(library, scalar), addTable: (table) => addTable(library, table) };
}

/** The library takes the number of rows that a caller asks for as the number of values: seven columns came one row at a time. */
function answerWholeRows(library: LibraryAgent): void {
  const answerValues = library.getBulkRequest.bind(library);
  library.getBulkRequest = (socket, message, sender) => {
    const { pdu } = message;
    const values = pdu.nonRepeaters + pdu.maxRepetitions * Math.max(0, pdu.varbinds.length - pdu.nonRepeaters);
    pdu.maxRepetitions = Math.min(values, MOST_VALUES);
    answerValues(socket, message, sender);
  };
}

function addScalar(library: LibraryAgent, { name, oid, type, read }: Scalar): void {
  library.registerProvider({
    name,
    oid,
    type: snmp.MibProviderType.Scalar,
    scalarType: type,
    maxAccess: snmp.MaxAccess['read-only'],
    handler: (request: LibraryRequest) => {
      request.instanceNode.value = read();
      request.done();
    },
  });
  library.getMib().setScalarValue(name, read());
}

function addTable<Row>(library: LibraryAgent, table: Table<Row>): void {
  const { name, oid, augments, columns, rows } = table;
  library.registerProvider({
    name,
    oid,
    type: snmp.MibProviderType.Table,
    maxAccess: snmp.MaxAccess['not-accessible'],
    ...(augments === undefined ? { tableIndex: [{ columnName: columns[0]!.name }] } : { tableAugments: augments }),
    tableColumns: columns.map((column) => ({
      number: column.number,
      name: column.name,
      type: column.type,
      maxAccess: snmp.MaxAccess[column.write === undefined ? 'read-only' : 'read-write'],
    })),
    handler: (request: LibraryRequest) => answer(request, table),
  });
  for (const [index, row] of rows) {
    const values = columns.map((column) => column.read(row));
    library.getMib().addTableRow(name, augments === undefined ? values : [index, ...values]);
  }
}

function answer<Row>(request: LibraryRequest, { columns, rows }: Table<Row>): void {
  const [columnNumber, index] = request.oid.split('.').slice(-2).map(Number);
  const column = columns.find(({ number }) => number === columnNumber)!;
  const row = rows.get(index!)!;
  if (request.testSet === true || request.commitSet === true) {
    const isTaken = column.write!(row, Number(request.setValue), request.testSet === true ? 'try' : 'do');
    const refusal = { errorStatus: snmp.ErrorStatus.WrongValue, type: snmp.ObjectType.Null, value: null };
    return isTaken ? request.done() : request.done(refusal);
  }
  request.instanceNode.value = column.read(row);
  request.done();
}

/** What the library needs of a socket; binding and closing are ours. */
function socketWithFaults(socket: Socket, faults: () => LabSwitchFaults) {
  return {
    on: (event: string, listener: (...values: unknown[]) => void) => socket.on(event, listener),
    bind: () => {},
    send(buffer: Buffer, offset: number, length: number, port: number, address: string, sent: () => void) {
      const { isSilent = false, answersAfterMs = 0 } = faults();
      if (isSilent) return;
      const answer = () => socket.send(buffer, offset, length, port, address, sent);
      if (answersAfterMs === 0) return answer();
      setTimeout(() => {
        try {
          answer();
        } catch {
          // The switch was closed before its answer was due.
        }
      }, answersAfterMs).unref();
    },
  };
}
