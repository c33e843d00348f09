// Virtual media of a lab Redfish service: a drive for discs, and a stick beside it that a client must not take for one.
import type { RedfishMachine } from './machine.ts';
import { badValue, done, refusal, type Body, type Outcome } from './outcome.ts';
import { mediaPath } from './paths.ts';
import { collection, type Resource, type Resources } from './resource.ts';

export function mediaResources(machine: RedfishMachine): Resources {
  const path = mediaPath(machine);
  const disc = `${path}/Cd`;
  const stick = `${path}/UsbStick`;
  const insert = `${disc}/Actions/VirtualMedia.InsertMedia`;
  const eject = `${disc}/Actions/VirtualMedia.EjectMedia`;
  const { image } = machine.drive;
  const shown = machine.faults().ignoresMedia === true ? undefined : image;
  const isPresent = machine.generation === 'present';
  return {
    [path]: collection(path, 'VirtualMedia', [stick, disc]),
    [stick]: member(stick, ['USBStick'], undefined),
    [disc]: {
      ...member(disc, ['CD', 'DVD'], shown, isPresent ? { insert, eject } : undefined),
      ...(isPresent ? {} : { patch: (change: Body) => patchDrive(machine, change) }),
    },
    ...(isPresent
      ? {
          [insert]: { post: ({ Image: url }: Body) => insertImage(machine, url) },
          [eject]: { post: () => ejectImage(machine) },
        }
      : {}),
  };
}

function member(
  path: string,
  types: readonly string[],
  image: string | undefined,
  actions?: { insert: string; eject: string },
): Resource {
  return {
    body: {
      '@odata.id': path,
      '@odata.type': '#VirtualMedia.v1_6_0.VirtualMedia',
      Id: path.split('/').at(-1),
      Name: `Virtual ${types[0]}`,
      MediaTypes: types,
      Image: image ?? null,
      ImageName: image?.split('/').at(-1) ?? null,
      Inserted: image !== undefined,
      WriteProtected: true,
      ConnectedVia: image === undefined ? 'NotConnected' : 'URI',
      ...(actions === undefined
        ? {}
        : {
            Actions: {
              '#VirtualMedia.InsertMedia': { target: actions.insert },
              '#VirtualMedia.EjectMedia': { target: actions.eject },
            },
          }),
    },
  };
}

async function insertImage({ drive }: RedfishMachine, url: unknown): Promise<Outcome> {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return badValue('Image');
  if (drive.image !== undefined) return refusal(409, 'ResourceInUse', 'There is something in the drive.');
  if (await drive.insert(url)) return done;
  return refusal(400, 'CouldNotEstablishConnection', 'The service could not read the image at the URI.');
}

function ejectImage({ drive }: RedfishMachine): Outcome {
  drive.eject();
  return done;
}

async function patchDrive(machine: RedfishMachine, { Image: url, Inserted: inserted }: Body): Promise<Outcome> {
  if (url === null || inserted === false) return ejectImage(machine);
  return insertImage(machine, url);
}
