// How the power strips of each maker show and switch their outlets over SNMP. Data only: a state that is not listed is unknown.

export interface PduModel {
  /** The MIB and the objects in it that the numbers are from. */
  readonly source: string;
  /** The column with the state of each outlet, and its values. */
  readonly state: { readonly column: string; readonly on: number; readonly off: number };
  readonly on: Command;
  readonly off: Command;
  /** What precedes the number of an outlet in the index of its row: the first unit, cord or feed. */
  readonly indexPrefix: string;
}

/** The column to write to, and the value. */
interface Command {
  readonly column: string;
  readonly value: number;
}

const rPDU = '1.3.6.1.4.1.318.1.1.12.3';
const rPDU2OutletSwitched = '1.3.6.1.4.1.318.1.1.26.9.2';
const outletSwitchControlEntry = '1.3.6.1.4.1.13742.6.4.1.2.1';
const outletEntry = '1.3.6.1.4.1.1718.3.2.3.1';
const st4Outlets = '1.3.6.1.4.1.1718.4.1.8';
const outletControlEntry = '1.3.6.1.4.1.534.6.6.7.6.6.1';

export const pduModels = {
  'apc-rpdu2': {
    source: 'PowerNet-MIB: rPDU2OutletSwitchedStatusState, rPDU2OutletSwitchedControlCommand',
    state: { column: `${rPDU2OutletSwitched}.3.1.5`, on: 2, off: 1 },
    on: { column: `${rPDU2OutletSwitched}.4.1.5`, value: 1 },
    off: { column: `${rPDU2OutletSwitched}.4.1.5`, value: 2 },
    indexPrefix: '',
  },
  'apc-rpdu': {
    source: 'PowerNet-MIB: rPDUOutletStatusOutletState, rPDUOutletControlOutletCommand',
    state: { column: `${rPDU}.5.1.1.4`, on: 1, off: 2 },
    on: { column: `${rPDU}.3.1.1.4`, value: 1 },
    off: { column: `${rPDU}.3.1.1.4`, value: 2 },
    indexPrefix: '',
  },
  'raritan-pdu2': {
    source: 'PDU2-MIB: outletSwitchingState, switchingOperation',
    state: { column: `${outletSwitchControlEntry}.3`, on: 7, off: 8 },
    on: { column: `${outletSwitchControlEntry}.2`, value: 1 },
    off: { column: `${outletSwitchControlEntry}.2`, value: 0 },
    indexPrefix: '1.',
  },
  'servertech-sentry3': {
    source: 'Sentry3-MIB: outletStatus, outletControlAction',
    state: { column: `${outletEntry}.5`, on: 1, off: 0 },
    on: { column: `${outletEntry}.11`, value: 1 },
    off: { column: `${outletEntry}.11`, value: 2 },
    indexPrefix: '1.1.',
  },
  'servertech-sentry4': {
    // Here 0 is unknown, unlike in Sentry3-MIB.
    source: 'Sentry4-MIB: st4OutletState, st4OutletControlAction',
    state: { column: `${st4Outlets}.3.1.1`, on: 1, off: 2 },
    on: { column: `${st4Outlets}.5.1.2`, value: 1 },
    off: { column: `${st4Outlets}.5.1.2`, value: 2 },
    indexPrefix: '1.1.',
  },
  'eaton-epdu': {
    // The value is a delay in seconds.
    source: 'EATON-EPDU-MIB: outletControlStatus, outletControlOnCmd, outletControlOffCmd',
    state: { column: `${outletControlEntry}.2`, on: 1, off: 0 },
    on: { column: `${outletControlEntry}.4`, value: 0 },
    off: { column: `${outletControlEntry}.3`, value: 0 },
    indexPrefix: '0.',
  },
} as const satisfies Readonly<Record<string, PduModel>>;

export type PduModelName = keyof typeof pduModels;
