// The cipher suites that are spoken: 17 (SHA-256) and 3 (SHA-1), both with AES-CBC-128. Suites without authentication,
// integrity or confidentiality are left out on purpose: nothing here can be talked into using them.

export type SuiteId = 3 | 17;

export interface CipherSuite {
  id: SuiteId;
  authentication: number;
  integrity: number;
  confidentiality: number;
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

export interface Algorithms {
  authentication: number;
  integrity: number;
  confidentiality: number;
}

export function suiteOfAlgorithms(algorithms: Algorithms): CipherSuite | undefined {
  return cipherSuites.find(
    (suite) =>
      suite.authentication === algorithms.authentication &&
      suite.integrity === algorithms.integrity &&
      suite.confidentiality === algorithms.confidentiality,
  );
}

const standardRecord = 0xc0;
const oemRecord = 0xc1;

/** The records of Get Channel Cipher Suites: a start byte, an id (an OEM number too), then tagged algorithms. */
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

/** The ids of the standard suites in such records; what is not understood is passed over. */
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
