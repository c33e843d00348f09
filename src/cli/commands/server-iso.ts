// hostyard server iso: virtual CDs. An image is uploaded first and then mounted.
import { apiCommand, serviceTextCommand } from '../command.ts';
import { resolveServiceId, serviceFilter } from '../lookup.ts';

export const commands = [
  apiCommand({
    usage: 'list [service]',
    summary: 'List images, or those that fit a service',
    run: async ({ client, print }, { service }) =>
      print.table(await client.deviceImageList(await serviceFilter(client, service)), ['value', 'name']),
  }),
  apiCommand({
    usage: 'upload <service> <image>',
    summary: 'Upload an image to the device',
    run: async ({ client, print }, { service, image }) =>
      print.text(await client.deviceImageUpload({ service: await resolveServiceId(client, service), image })),
  }),
  apiCommand({
    usage: 'status <service>',
    summary: 'Show the uploaded image and whether it is mounted',
    run: async ({ client, print }, { service }) =>
      print.fields(await client.deviceImageStatus({ service: await resolveServiceId(client, service) })),
  }),
  serviceTextCommand('mount <service>', 'Mount the uploaded image', (client, input) => client.deviceImageMount(input)),
  serviceTextCommand('eject <service>', 'Unmount the image; it stays uploaded', (client, input) =>
    client.deviceImageUnmount(input),
  ),
];
