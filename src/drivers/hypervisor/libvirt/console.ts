// VNC and serial console of a machine. QEMU has one VNC password; each viewer gets a new one that is valid for a
// minute, which is long enough to log in and does not disconnect anyone else.
import { randomPassword } from '#lib/random.ts';
import { domainOpenConsole, domainUpdateDeviceFlags } from '#protocols/libvirt/procedures.ts';
import { missingCapability, type VncConsole, type TextConsole } from '../driver.ts';
import { connectVnc } from '../http.ts';
import type { Session } from './session.ts';
import { findPath, writeXml } from './xml.ts';

/** VNC authentication does not support longer passwords. */
const passwordLength = 8;
const passwordLifetimeMs = 60_000;
const purpose = 'open its console';
const live = 1;
const takeOver = 1;

export function createVncConsole(session: Session, address: string): VncConsole {
  return {
    async open(name, signal) {
      const dom = await session.runningDomain(name, purpose, signal);
      const graphics = findPath(await session.describe(dom, 'running', signal), 'devices', 'graphics');
      if (graphics?.attributes['type'] !== 'vnc')
        throw missingCapability('vnc', { internal: `${name} has no VNC server` });
      const port = Number(graphics.attributes['port']);
      const { passwd, passwdValidTo } = graphics.attributes;
      // The provider defined the machine, and its password stays; QEMU could not set one if there is none.
      if (passwdValidTo === undefined) return { stream: await connectVnc(address, port, signal), password: passwd };
      const password = randomPassword(passwordLength);
      graphics.attributes['passwd'] = password;
      graphics.attributes['passwdValidTo'] = new Date(Date.now() + passwordLifetimeMs).toISOString().slice(0, 19);
      await session.call(domainUpdateDeviceFlags, { dom, xml: writeXml(graphics), flags: live }, signal);
      return { stream: await connectVnc(address, port, signal), password };
    },
  };
}

export function createTextConsole(session: Session): TextConsole {
  return {
    async open(name, signal) {
      const dom = await session.runningDomain(name, purpose, signal);
      return session.openStream(domainOpenConsole, { dom, device: undefined, flags: takeOver }, signal);
    },
  };
}
