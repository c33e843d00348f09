// Virtual media of a lab Redfish service: a CD drive, and a USB stick that a client must not mistake for one.
import type { MediaLayout, RedfishMachine } from './machine.ts';
import { badValue, noContent, errorResponse, type Body, type RedfishResponse } from './response.ts';
import { mediaPath } from './paths.ts';
import { collection, link, resourceBody, type Resource, type Resources } from './resource.ts';

/** Returns the link in the resource that has the media. */
export function mediaLink(machine: RedfishMachine, owner: MediaLayout) {
  const isOwner = machine.layout === owner && machine.malfunctions().lacksMedia !== true;
  return isOwner ? { VirtualMedia: link(mediaPath(machine)) } : {};
}

export function mediaResources(machine: RedfishMachine): Resources {
  if (machine.malfunctions().lacksMedia === true) return {};
  const path = mediaPath(machine);
  const disc = `${path}/Cd`;
  const stick = `${path}/UsbStick`;
  const insert = `${disc}/Actions/VirtualMedia.InsertMedia`;
  const eject = `${disc}/Actions/VirtualMedia.EjectMedia`;
  const { image } = machine.drive;
  const visibleImage = machine.malfunctions().ignoresMedia === true ? undefined : image;
  const isCurrent = machine.generation === 'current';
  return {
    [path]: collection(path, 'VirtualMedia', [stick, disc]),
    [stick]: member(stick, ['USBStick'], undefined),
    [disc]: {
      ...member(
        disc,
        machine.personality.discTypes ?? ['CD', 'DVD'],
        visibleImage,
        isCurrent ? { insert, eject } : undefined,
      ),
      ...(isCurrent ? {} : { patch: (change: Body) => patchDrive(machine, change) }),
    },
    ...(isCurrent
      ? {
          [insert]: { post: (body: Body) => insertMedia(machine, body) },
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
    body: resourceBody(path, 'VirtualMedia.v1_6_0', `Virtual ${types[0]}`, {
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
    }),
  };
}

function insertMedia(machine: RedfishMachine, body: Body): Promise<RedfishResponse> | RedfishResponse {
  const isComplete = body['TransferProtocolType'] === 'HTTP' && body['TransferMethod'] === 'Stream';
  if (machine.personality.mediaNeedsTransfer === true && !isComplete)
    return errorResponse(400, 'ActionParameterMissing', 'TransferProtocolType and TransferMethod are required.');
  return insertImage(machine, body['Image']);
}

async function insertImage({ drive, malfunctions }: RedfishMachine, url: unknown): Promise<RedfishResponse> {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return badValue('Image');
  if (drive.image !== undefined) return errorResponse(409, 'ResourceInUse', 'The drive is not empty.');
  const { fetchesNothing, copiesMedia } = malfunctions();
  const how = fetchesNothing === true ? 'blindly' : copiesMedia === true ? 'copied' : 'streamed';
  if (await drive.insert(url, how)) return noContent;
  return errorResponse(400, 'CouldNotEstablishConnection', 'The service could not read the image at the URI.');
}

function ejectImage({ drive }: RedfishMachine): RedfishResponse {
  drive.eject();
  return noContent;
}

async function patchDrive(machine: RedfishMachine, { Image: url, Inserted: inserted }: Body): Promise<RedfishResponse> {
  if (url === null || inserted === false) return ejectImage(machine);
  return insertImage(machine, url);
}
