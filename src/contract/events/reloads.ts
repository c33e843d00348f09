// Events of network boots: reloads, the rescue system and root password resets.
import { Type } from 'typebox';

const text = Type.String();
const System = Type.Object({ system: Type.String({ description: 'The value of the system to install' }) });
const Reason = Type.Object({ reason: text });
const Nothing = Type.Object({});

export const reloadEventKinds = {
  'device.reload.started': { version: 1, summary: 'A reload of the operating system started', data: System },
  'device.reload.progress': {
    version: 1,
    summary: 'A reload made progress',
    data: Type.Object({ status: Type.String({ description: 'As returned by PUT /v2/device/reload' }) }),
  },
  'device.reload.completed': {
    version: 1,
    summary: 'A reload completed; the server runs its new system',
    data: System,
  },
  'device.reload.failed': { version: 1, summary: 'A reload failed; the server boots its disk again', data: Reason },
  'device.reload.cancelled': {
    version: 1,
    summary: 'A reload was cancelled; the server boots its disk again',
    data: Nothing,
  },
  'device.rescue.started': { version: 1, summary: 'A server is booting into the rescue system', data: Nothing },
  'device.rescue.completed': { version: 1, summary: 'The rescue system is running', data: Nothing },
  'device.rescue.failed': {
    version: 1,
    summary: 'The rescue system did not start; the server boots its disk again',
    data: Reason,
  },
  'device.rescue.cancelled': {
    version: 1,
    summary: 'The start of the rescue system was cancelled; the server boots its disk again',
    data: Nothing,
  },
  'device.rescue.ended': {
    version: 1,
    summary: 'A server left the rescue system and boots its disk again',
    data: Nothing,
  },
  'device.password.started': { version: 1, summary: 'A reset of the root password started', data: Nothing },
  'device.password.completed': {
    version: 1,
    summary: 'The root password was reset; the server boots its disk again',
    data: Nothing,
  },
  'device.password.failed': {
    version: 1,
    summary: 'The reset of the root password failed; the server boots its disk again',
    data: Reason,
  },
  'device.password.cancelled': { version: 1, summary: 'The reset of the root password was cancelled', data: Nothing },
} as const;
