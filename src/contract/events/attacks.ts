// Events of attacks and null routes.
import { Type } from 'typebox';

const text = Type.String();

export const attackEvents = {
  'network.attack.started': {
    version: 1,
    summary: 'An attack on an address of a service was detected',
    data: Type.Object({
      anomaly_id: text,
      ip: text,
      direction: Type.Enum(['incoming', 'outgoing']),
      kind: Type.String({
        description: 'The kind of attack according to the detector, such as udp_flood; may be empty',
      }),
    }),
  },
  'network.attack.ended': {
    version: 1,
    summary: 'An attack has ended',
    data: Type.Object({ anomaly_id: text, ip: text }),
  },
  'network.nullroute.added': {
    version: 1,
    summary: 'An address is being null-routed, by request or by the provider’s policy',
    data: Type.Object({ ip: text, reason: text }),
  },
  'network.nullroute.removed': {
    version: 1,
    summary: 'The null route of an address is being removed',
    data: Type.Object({ ip: text }),
  },
} as const;
