// Settings of a libvirt hypervisor in the site file.
import { Type, type Static } from 'typebox';

const name = (reason: string) => Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$', 'x-reason': reason });
const poolName = 'must be the name of a storage pool';

export const LibvirtSettings = Type.Object(
  {
    socket: Type.String({ pattern: '^/', 'x-reason': 'must be the path of the daemon’s socket' }),
    pool: name(poolName),
    templates: Type.Optional(name(poolName)),
    images: Type.Optional(name(poolName)),
    accelerator: Type.Union([Type.Literal('kvm'), Type.Literal('tcg')], { 'x-reason': 'must be kvm or tcg' }),
    bridge: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.-]{1,15}$',
        'x-reason': 'must be the name of a bridge; without one, machines use QEMU’s user network',
      }),
    ),
    screenAddress: Type.Optional(
      Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address of the node' }),
    ),
    migrationUri: Type.Optional(
      Type.String({
        pattern: '^[a-z+]{1,20}://',
        maxLength: 500,
        'x-reason':
          'must be the URI by which the other nodes reach this daemon, such as qemu+tls://hv01.example.net/system',
      }),
    ),
    migrationAddress: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9.:-]{1,253}$',
        'x-reason': 'must be the host name or address at which the node receives machines from other nodes',
      }),
    ),
    migrationMbPerSecond: Type.Optional(
      Type.Integer({ minimum: 1, 'x-reason': 'must be a number of megabytes per second' }),
    ),
    reservedMemoryMb: Type.Optional(Type.Integer({ minimum: 0, 'x-reason': 'must be a number of megabytes' })),
  },
  { additionalProperties: false },
);
export type LibvirtSettings = Static<typeof LibvirtSettings>;

export const defaults = { screenAddress: '127.0.0.1', reservedMemoryMb: 512 } as const;
