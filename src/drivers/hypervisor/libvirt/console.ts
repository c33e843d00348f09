// VNC and serial console of a machine. QEMU has one VNC password; each viewer gets a new one that is valid for a
// minute, which is long enough to log in and does not disconnect anyone else.
import { ApiError } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import { domainOpenConsole, domainUpdateDeviceFlags } from '#protocols/libvirt/procedures.ts';
import type { VncConsole, TextConsole } from '../driver.ts';
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
        throw new ApiError('node_error', { internal: `${name} has no VNC console` });
      const password = randomPassword(passwordLength);
      graphics.attributes['passwd'] = password;
      graphics.attributes['passwdValidTo'] = new Date(Date.now() + passwordLifetimeMs).toISOString().slice(0, 19);
      await session.call(domainUpdateDeviceFlags, { dom, xml: writeXml(graphics), flags: live }, signal);
      return { stream: await connectVnc(address, Number(graphics.attributes['port']), signal), password };
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
