// What an account is told of a server that boots over the network.
import { Type } from 'typebox';

const text = Type.String();
const System = Type.Object({ system: Type.String({ description: 'The value of the system that it is to get' }) });
const Reason = Type.Object({ reason: text });
const Nothing = Type.Object({});

export const reloadEventKinds = {
  'device.reload.started': { version: 1, summary: 'A reload of the operating system was begun', data: System },
  'device.reload.progress': {
    version: 1,
    summary: 'A reload came further',
    data: Type.Object({ status: Type.String({ description: 'As PUT /v2/device/reload answers it' }) }),
  },
  'device.reload.completed': { version: 1, summary: 'A reload is done; the server runs its new system', data: System },
  'device.reload.failed': { version: 1, summary: 'A reload failed; the server boots its disk again', data: Reason },
  'device.reload.cancelled': {
    version: 1,
    summary: 'A reload was cancelled; the server boots its disk again',
    data: Nothing,
  },
  'device.rescue.started': { version: 1, summary: 'A server is being booted into the rescue system', data: Nothing },
  'device.rescue.completed': { version: 1, summary: 'The rescue system runs', data: Nothing },
  'device.rescue.failed': {
    version: 1,
    summary: 'The rescue system did not come up; the server boots its disk again',
    data: Reason,
  },
  'device.rescue.cancelled': {
    version: 1,
    summary: 'The rescue system was called off; the server boots its disk again',
    data: Nothing,
  },
  'device.rescue.ended': {
    version: 1,
    summary: 'A server left the rescue system and boots its disk again',
    data: Nothing,
  },
  'device.password.started': { version: 1, summary: 'A reset of the root password was begun', data: Nothing },
  'device.password.completed': {
    version: 1,
    summary: 'The root password was reset; the server boots its disk again',
    data: Nothing,
  },
  'device.password.failed': {
    version: 1,
    summary: 'The root password was not reset; the server boots its disk again',
    data: Reason,
  },
  'device.password.cancelled': { version: 1, summary: 'A reset of the root password was called off', data: Nothing },
} as const;
