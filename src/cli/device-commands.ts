// What can be done with a device, whatever it is: the same words under each noun.
import { from, under, type CommandTable } from './table.ts';

export function deviceCommands(noun: 'server' | 'vps' | 'cloud'): CommandTable {
  return under(noun, ofEveryDevice);
}

const ofEveryDevice: CommandTable = {
  list: ['the services of the account', from(() => import('./commands/server/list.ts'))],
  'show <service>': ['one service', from(() => import('./commands/server/show.ts'))],
  'state [service]': [
    'power and health as last seen, of all or of one',
    from(() => import('./commands/server/state.ts')),
  ],
  power: ['switch on and off'],
  'power status <service>': [
    'whether it is on, asked of the device itself',
    from(() => import('./commands/server/power-status.ts')),
  ],
  'power on <service>': ['switch it on', from(() => import('./commands/server/power.ts'))],
  'power off <service>': ['switch it off', from(() => import('./commands/server/power.ts'))],
  'power reboot <service>': ['reset it', from(() => import('./commands/server/power.ts'))],
  'power cycle <service>': ['switch it off and on again', from(() => import('./commands/server/power.ts'))],
  'boot <source> <service>': [
    'boot from pxe, cdrom or bios the next time',
    from(() => import('./commands/server/boot.ts')),
  ],
  'hardware <service>': ['its parts and its ports', from(() => import('./commands/server/hardware.ts'))],
  'stats <service>': [
    'resources of a virtual machine, traffic of a server',
    from(() => import('./commands/server/stats.ts')),
  ],
  'hostname <service> <hostname>': ['give it another name', from(() => import('./commands/server/hostname.ts'))],
  'password <service>': ['give root a new password', from(() => import('./commands/server/password.ts'))],
  iso: ['ISO images'],
  'iso list [service]': [
    'the images, all or those that fit a service',
    from(() => import('./commands/server/iso-list.ts')),
  ],
  'iso upload <service> <image>': [
    'put an image on the controller',
    from(() => import('./commands/server/iso-upload.ts')),
  ],
  'iso status <service>': [
    'which one it has, and whether mounted',
    from(() => import('./commands/server/iso-status.ts')),
  ],
  'iso mount <service>': ['mount the image that was uploaded', from(() => import('./commands/server/iso-mount.ts'))],
  'iso eject <service>': ['unmount it; it stays uploaded', from(() => import('./commands/server/iso-eject.ts'))],
  reload: ['install the operating system anew'],
  'reload templates <service>': [
    'what it can be installed with',
    from(() => import('./commands/server/reload-templates.ts')),
  ],
  'reload start <service> <template>': [
    'erase it and install; prints the new root password',
    from(() => import('./commands/server/reload-start.ts')),
  ],
  'reload cancel <service>': [
    'cancel the reload in progress',
    from(() => import('./commands/server/reload-cancel.ts')),
  ],
};

/** What only a physical server has. */
export const serverCommands: CommandTable = under('server', {
  'password-collect <service>': [
    'the password that a reset has set, shown once',
    from(() => import('./commands/server/password-collect.ts')),
  ],
  'reload status <service>': ['how far it is', from(() => import('./commands/server/reload-status.ts'))],
  'reload log <service>': ['what happened in the last one', from(() => import('./commands/server/reload-log.ts'))],
  rescue: ['the rescue system'],
  'rescue on <service>': [
    'boot it; prints the password of root there',
    from(() => import('./commands/server/rescue-on.ts')),
  ],
  'rescue off <service>': ['boot the disk again', from(() => import('./commands/server/rescue-off.ts'))],
  'rescue status <service>': ['whether it runs', from(() => import('./commands/server/rescue-status.ts'))],
  bmc: ['the management controller'],
  'bmc user-add <service> <username>': [
    'make a user of the controller; prints its password this once',
    from(() => import('./commands/server/bmc-user-add.ts')),
  ],
  'bmc user-password <service> <username>': [
    'give a user of the controller a new password',
    from(() => import('./commands/server/bmc-user-password.ts')),
  ],
  'bmc user-delete <service> <username>': [
    'remove a user of the controller',
    from(() => import('./commands/server/bmc-user-delete.ts')),
  ],
  'bmc reset <service>': [
    'restart the controller; the server runs on',
    from(() => import('./commands/server/bmc-reset.ts')),
  ],
});
