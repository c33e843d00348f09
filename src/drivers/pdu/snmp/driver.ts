// Driver for power strips with switched outlets over SNMP v2c and v3.
import { setTimeout as sleep } from 'node:timers/promises';
import * as snmp from 'net-snmp';
import type { Static } from 'typebox';
import { Choice } from '#contract/parameters.ts';
import { ApiError } from '#lib/api-error.ts';
import { openSession, type SnmpSession } from '../../snmp/session.ts';
import { snmpSettings } from '../../snmp/settings.ts';
import { defaultDriverWaits, type DriverWaits } from '../../waits.ts';
import type { OutletState, Pdu, PduDriver } from '../driver.ts';
import { pduModels, type PduModel, type PduModelName } from './models.ts';

const PduSettings = snmpSettings({ model: Choice(...(Object.keys(pduModels) as PduModelName[])) });
export type PduSettings = Static<typeof PduSettings>;

const errors = { error: 'bmc_error', unreachable: 'bmc_unreachable' } as const;
const pauseMs = 100;

export const snmpPduDriver: PduDriver<typeof PduSettings> = {
  settings: PduSettings,
  open: async (settings, waits = defaultDriverWaits) => {
    const session = openSession(settings, errors, waits);
    const model: PduModel = pduModels[settings.model];
    const index = (outlet: string): string => (outlet.includes('.') ? outlet : model.indexPrefix + outlet);
    return {
      state: (outlet, signal) => readState(session, model, index(outlet), signal),
      set: (outlet, state, signal) => setState(session, model, index(outlet), state, signal, waits),
      [Symbol.asyncDispose]: async () => session.close(),
    } satisfies Pdu;
  },
};

async function readState(
  session: SnmpSession,
  { state: { column, on, off } }: PduModel,
  index: string,
  signal: AbortSignal,
): Promise<OutletState | 'unknown'> {
  const [varbind] = await session.get([`${column}.${index}`], signal);
  if (varbind === undefined || snmp.isVarbindError(varbind))
    throw new ApiError('bmc_error', { internal: `the power strip has no outlet ${index}` });
  return varbind.value === on ? 'on' : varbind.value === off ? 'off' : 'unknown';
}

async function setState(
  session: SnmpSession,
  model: PduModel,
  index: string,
  state: OutletState,
  signal: AbortSignal,
  { commandMs }: DriverWaits,
): Promise<void> {
  if ((await readState(session, model, index, signal)) === state) return;
  const { column, value } = model[state];
  await session.set({ oid: `${column}.${index}`, type: snmp.ObjectType.Integer, value }, signal);
  // Relays switch one after the other, and some strips take a second for each.
  const deadlineMs = performance.now() + commandMs;
  while ((await readState(session, model, index, signal)) !== state) {
    if (performance.now() > deadlineMs)
      throw new ApiError('bmc_error', { internal: `outlet ${index} of the power strip did not go ${state}` });
    await sleep(pauseMs);
  }
}
