// Events of virtual machines: orders, snapshots, images, sizes, volumes, backups and migration.
import { Type } from 'typebox';
import { event } from './event.ts';
import { described, text } from '../shapes/text.ts';

const Snapshot = Type.Object({ snapshotid: text, name: text });
const FailedSnapshot = Type.Object({ ...Snapshot.properties, reason: text });
const Image = Type.Object({ imageid: text, name: text });
const Resize = Type.Object({ plan: text, previous: described('Empty if it had none') });

const Nothing = Type.Object({});
const Reason = Type.Object({ reason: text });
const Volume = Type.Object({ volumeid: text, name: text, sizegb: text });
const Backup = Type.Object({ backup: text });
const Downtime = Type.Object({
  downtime: Type.Enum(['none', 'expected'], { description: 'expected: the machine is shut down during the resize' }),
});

export const machineEvents = {
  'machine.created': event('A virtual machine was created and is running', Nothing),
  'machine.adopted': event('An existing virtual machine was adopted for the service', Nothing),
  'machine.deleted': event(
    'A virtual machine was deleted, and can be restored for some time',
    Type.Object({
      restorableto: described('Time in UTC'),
      lastday: described('The last day that is billed; empty if the service is not billed'),
    }),
  ),
  'machine.restored': event('A deleted virtual machine was restored', Nothing),
  'machine.protection.changed': event(
    'The protection of a virtual machine against deletion was changed',
    Type.Object({ protection: Type.Enum(['enabled', 'disabled']) }),
  ),
  'machine.snapshot.started': event('A snapshot of a virtual machine is being taken', Snapshot),
  'machine.snapshot.completed': event('A snapshot of a virtual machine was taken', Snapshot),
  'machine.snapshot.failed': event('A snapshot of a virtual machine could not be taken', FailedSnapshot),
  'machine.snapshot.deleted': event('A snapshot of a virtual machine was deleted', Snapshot),
  'machine.snapshot.restoring': event('A virtual machine is being restored from a snapshot', Snapshot),
  'machine.snapshot.restored': event('A virtual machine was restored from a snapshot', Snapshot),
  'machine.snapshot.restorefailed': event(
    'A virtual machine could not be restored from a snapshot; it is as before',
    FailedSnapshot,
  ),
  'machine.image.started': event('An image is being made from a virtual machine', Image),
  'machine.image.completed': event('An image was made from a virtual machine', Image),
  'machine.image.failed': event(
    'An image could not be made from a virtual machine',
    Type.Object({ ...Image.properties, reason: text }),
  ),
  'machine.image.deleted': event('An image of the account was deleted', Image),
  'machine.resize.started': event('A virtual machine is being resized', Resize),
  'machine.resize.completed': event('A virtual machine was resized; its price has changed', Resize),
  'machine.resize.failed': event(
    'A virtual machine could not be resized; size and price are as before',
    Type.Object({ ...Resize.properties, reason: text }),
  ),
  'machinegroup.created': event('A group of virtual machines was created', Type.Object({ groupid: text, name: text })),
  'machinegroup.deleted': event('A group of virtual machines was deleted', Type.Object({ groupid: text })),
  'volume.created': event('A volume was created and attached', Volume),
  'volume.attached': event('A volume was attached to a machine', Volume),
  'volume.detached': event('A volume was detached from its machine', Volume),
  'volume.resized': event('A volume was resized', Volume),
  'volume.deleted': event('A volume was deleted and is being erased', Type.Object({ volumeid: text, name: text })),
  'volume.failed': event(
    'A volume could not be created, attached, detached or resized; it is as before',
    Type.Object({ volumeid: text, name: text, reason: text }),
  ),
  'device.migration.started': event('A virtual machine started to move to another hypervisor', Downtime),
  'device.migration.completed': event('A virtual machine moved to another hypervisor', Downtime),
  'device.migration.failed': event(
    'A virtual machine could not move to another hypervisor and stays where it was',
    Reason,
  ),
  'device.backup.started': event(
    'A backup of a machine started',
    Type.Object({ backup: text, source: described('schedule or request') }),
  ),
  'device.backup.completed': event('A backup of a machine is stored', Backup),
  'device.backup.failed': event(
    'A backup of a machine failed; nothing was stored',
    Type.Object({ backup: text, reason: text }),
  ),
  'device.backup.failing': event(
    'Several backups of a machine have failed in a row',
    Type.Object({ failures: text, reason: text }),
  ),
  'device.backup.deleted': event('A backup of a machine was deleted', Backup),
  'device.backup.scheduled': event('The backup schedule of a machine changed', Type.Object({ frequency: text })),
  'device.restore.started': event('A machine is being restored from a backup', Backup),
  'device.restore.completed': event('A machine was restored from a backup', Backup),
  'device.restore.failed': event(
    'A machine could not be restored from a backup; it runs its previous system',
    Type.Object({ backup: text, reason: text }),
  ),
};
