// A typed wrapper of net-snmp's agent for the lab switch. It uses our own socket, because the library cannot bind to
// port 0, and injects malfunctions.
import type { Socket } from 'node:dgram';
import * as snmp from 'net-snmp';
import type { User } from 'net-snmp';

/** Malfunctions that a lab switch can be given. An empty object is a healthy switch. */
export interface LabSwitchMalfunctions {
  /** Receives requests but does not respond. */
  readonly isSilent?: boolean;
  readonly responseDelayMs?: number;
  /** Restarts instead of carrying out the next write, does not respond to it, and renumbers these ports. */
  readonly restartsOnWrite?: readonly number[];
}

export interface AgentOptions {
  readonly socket: Socket;
  readonly communities: { readonly readWrite: string; readonly readOnly?: string };
  readonly user?: User;
  readonly malfunctions: () => LabSwitchMalfunctions;
}

/** Keeps responses within one datagram. */
const maxValues = 200;

type Value = number | string | Buffer;

export interface Column<Row> {
  readonly number: number;
  readonly name: string;
  readonly type: snmp.ObjectType;
  read(row: Row): Value;
  /** Returns whether the value is accepted. Undefined for read-only columns. */
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
  /** The first column is the index, unless the table augments another. */
  readonly augments?: string;
  readonly columns: readonly Column<Row>[];
  /** By index. */
  readonly rows: ReadonlyMap<number, Row>;
}

export interface Agent {
  addScalar(scalar: Scalar): void;
  addTable<Row>(table: Table<Row>): void;
}

/** The parts of the library that its types leave out. */
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
  /** The library calls every writer twice: to test the value, then to commit it. */
  readonly testSet?: boolean;
  readonly commitSet?: boolean;
  done(error?: { errorStatus: snmp.ErrorStatus; type: snmp.ObjectType; value: null }): void;
}

export function createAgent({ socket, communities, user, malfunctions }: AgentOptions): Agent {
  const dgramModule = { createSocket: () => socketWithMalfunctions(socket, malfunctions) };
  const options = { dgramModule, accessControlModelType: snmp.AccessControlModelType.Simple };
  // Called for messages with a wrong community or password. Like a real switch, the lab does not respond to them.
  const library = snmp.createAgent(options, () => {}) as LibraryAgent;
  fixBulkRequests(library);
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

/**
 * The library takes the requested number of rows for the number of values, so that seven columns would arrive one row
 * at a time.
 */
function fixBulkRequests(library: LibraryAgent): void {
  const getValues = library.getBulkRequest.bind(library);
  library.getBulkRequest = (socket, message, sender) => {
    const { pdu } = message;
    const values = pdu.nonRepeaters + pdu.maxRepetitions * Math.max(0, pdu.varbinds.length - pdu.nonRepeaters);
    pdu.maxRepetitions = Math.min(values, maxValues);
    getValues(socket, message, sender);
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
    handler: (request: LibraryRequest) => handleRequest(request, table),
  });
  for (const [index, row] of rows) {
    const values = columns.map((column) => column.read(row));
    library.getMib().addTableRow(name, augments === undefined ? values : [index, ...values]);
  }
}

function handleRequest<Row>(request: LibraryRequest, { columns, rows }: Table<Row>): void {
  const [columnNumber, index] = request.oid.split('.').slice(-2).map(Number);
  const column = columns.find(({ number }) => number === columnNumber)!;
  const row = rows.get(index!)!;
  if (request.testSet === true || request.commitSet === true) {
    const isAccepted = column.write!(row, Number(request.setValue), request.testSet === true ? 'try' : 'do');
    const rejection = { errorStatus: snmp.ErrorStatus.WrongValue, type: snmp.ObjectType.Null, value: null };
    return isAccepted ? request.done() : request.done(rejection);
  }
  request.instanceNode.value = column.read(row);
  request.done();
}

/** The part of a socket that the library uses. Binding and closing are ours. */
function socketWithMalfunctions(socket: Socket, malfunctions: () => LabSwitchMalfunctions) {
  return {
    on: (event: string, listener: (...values: unknown[]) => void) => socket.on(event, listener),
    bind: () => {},
    send(buffer: Buffer, offset: number, length: number, port: number, address: string, sent: () => void) {
      const { isSilent = false, responseDelayMs = 0 } = malfunctions();
      if (isSilent) return;
      const respond = () => socket.send(buffer, offset, length, port, address, sent);
      if (responseDelayMs === 0) return respond();
      setTimeout(() => {
        try {
          respond();
        } catch {
          // The switch was closed before the response was due.
        }
      }, responseDelayMs).unref();
    },
  };
}
