// The supported cipher suites: 17 (SHA-256) and 3 (SHA-1), both with AES-CBC-128. Suites without authentication,
// integrity or confidentiality are omitted on purpose, so that they cannot be negotiated.

export interface Algorithms {
  authentication: number;
  integrity: number;
  confidentiality: number;
}

export interface CipherSuite extends Algorithms {
  id: 3 | 17;
  hash: 'sha1' | 'sha256';
  hashBytes: number;
  integrityBytes: number;
}

const suite17: CipherSuite = {
  id: 17,
  authentication: 0x03,
  integrity: 0x04,
  confidentiality: 0x01,
  hash: 'sha256',
  hashBytes: 32,
  integrityBytes: 16,
};

const suite3: CipherSuite = {
  id: 3,
  authentication: 0x01,
  integrity: 0x01,
  confidentiality: 0x01,
  hash: 'sha1',
  hashBytes: 20,
  integrityBytes: 12,
};

/** Strongest first. */
export const cipherSuites: readonly CipherSuite[] = [suite17, suite3];

export function findSuite(algorithms: Algorithms): CipherSuite | undefined {
  return cipherSuites.find(
    (suite) =>
      suite.authentication === algorithms.authentication &&
      suite.integrity === algorithms.integrity &&
      suite.confidentiality === algorithms.confidentiality,
  );
}

const standardRecord = 0xc0;
const oemRecord = 0xc1;

/** Encodes the records of Get Channel Cipher Suites: a start byte, an id (and an OEM number), then tagged algorithms. */
export function encodeSuiteRecords(suites: readonly CipherSuite[]): Buffer {
  return Buffer.concat(
    suites.map((suite) =>
      Buffer.from([
        standardRecord,
        suite.id,
        suite.authentication,
        0x40 | suite.integrity,
        0x80 | suite.confidentiality,
      ]),
    ),
  );
}

/** Returns the ids of the standard suites; unknown records are skipped. */
export function decodeSuiteIds(records: Buffer): number[] {
  const ids: number[] = [];
  for (let at = 0; at < records.length; at++) {
    if (records[at] === oemRecord) {
      at += 4;
    } else if (records[at] === standardRecord) {
      const id = records[++at];
      if (id !== undefined) ids.push(id);
    }
  }
  return ids;
}
