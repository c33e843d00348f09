// The web page of a lab BMC: noVNC with the server's screen and a launcher file, for those who have signed in. As on many
// BMCs, it redirects to an absolute URL.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join, normalize } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { LabAccount, LabAccounts } from './accounts.ts';
import type { LabKvm } from './kvm.ts';
import type { LabRedfishSessions } from './sessions.ts';

const consolePath = '/console/';
const socketPath = '/kvm/0';
/** As on BMCs of ATEN. */
const signInPath = '/cgi/login.cgi';
const launcherPath = '/cgi/url_redirect.cgi?url_name=man_ikvm&url_type=jwsk';
const mediaPort = 623;
const libraryPath = `${consolePath}novnc/`;
/** Where Debian installs noVNC. */
const systemFolder = '/usr/share/novnc';
const maxFrameBytes = 64 * 1024;

export interface LabWebPageParts {
  readonly kvm: LabKvm;
  readonly accounts: LabAccounts;
  readonly sessions: LabRedfishSessions;
}
export interface LabWebPage {
  serve(request: IncomingMessage, response: ServerResponse, account: LabAccount | undefined): Promise<void>;
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, account: LabAccount | undefined): void;
}

export function createLabWebPage({ kvm, accounts, sessions }: LabWebPageParts): LabWebPage {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const field = (name: string): string => Buffer.from(form.get(name) ?? '', 'base64').toString();
    const account = accounts.authenticate(field('name'), field('pwd'));
    const session = account && sessions.open(account);
    if (session === undefined) return send(response, 401, 'text/html', signInPage);
    response.setHeader('set-cookie', `SID=${session.token}; path=/; secure; HttpOnly`);
    return send(response, 200, 'text/html', '<!doctype html><title>Signed in</title>');
  }
  const launcher = (host: string, { name, password }: LabAccount): string =>
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<jnlp spec="1.0+" codebase="https://${host}/">`,
      '<information><title>ATEN Java iKVM Viewer</title><vendor>ATEN</vendor></information>',
      '<resources><jar href="iKVM__V1.69.38.0x0.jar" download="eager" main="true"/></resources>',
      '<application-desc main-class="tw.com.aten.ikvm.KVMMain">',
      ...[host.split(':')[0], name, password, 'null', kvm.port, mediaPort, 2, 0].map(
        (value) => `<argument>${value}</argument>`,
      ),
      '</application-desc></jnlp>\n',
    ].join('\n');
  return {
    async serve(request, response, account) {
      const path = normalize((request.url ?? '/').split('?')[0]!);
      if (path === '/' && account !== undefined)
        return void response.writeHead(302, { location: `https://${request.headers.host}${consolePath}` }).end();
      if (path === signInPath) return signIn(request, response);
      if (account === undefined) return send(response, 401, 'text/html', signInPage);
      if (request.url?.startsWith(launcherPath) === true)
        return send(response, 200, 'application/x-java-jnlp-file', launcher(request.headers.host ?? '', account));
      if (path === consolePath) return send(response, 200, 'text/html', consolePage);
      const file = path.startsWith(libraryPath) ? await readLibraryFile(path.slice(libraryPath.length)) : undefined;
      if (file === undefined) return send(response, 404, 'text/plain', 'Not found');
      return send(response, 200, 'text/javascript', file);
    },
    upgrade(request, stream, head, account) {
      stream.on('error', () => stream.destroy());
      if (account === undefined || request.url !== socketPath)
        return void stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return sockets.handleUpgrade(request, stream, head, (socket) => {
        const viewer = createWebSocketStream(socket).on('error', () => {});
        kvm.show(viewer, account).then(
          () => viewer.end(),
          () => viewer.destroy(),
        );
      });
    },
  };
}

async function readLibraryFile(path: string): Promise<Buffer | undefined> {
  for (const folder of libraryFolders()) {
    const file = await readFile(join(folder, path)).catch(() => undefined);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The package is there if the panel can be built; an installation may have Debian's instead. */
function libraryFolders(): string[] {
  try {
    return [dirname(dirname(fileURLToPath(import.meta.resolve('@novnc/novnc')))), systemFolder];
  } catch {
    return [systemFolder];
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const signInPage = `<!doctype html><title>Lab BMC</title>
<form method="post" action="${signInPath}" onsubmit="for (const field of this.elements) field.value = btoa(field.value)">
  <input name="name" placeholder="User"> <input name="pwd" type="password" placeholder="Password"> <button>Sign in</button>
</form>
`;

const consolePage = `<!doctype html><title>Lab BMC: console</title>
<style>body { margin: 0; background: #222; color: #ddd; font: 14px sans-serif } #screen { height: 95vh }</style>
<p id="status">Loading noVNC. If nothing appears, install the package novnc.</p><div id="screen"></div>
<script type="module">
  import RFB from './novnc/core/rfb.js';
  const status = document.getElementById('status');
  const rfb = new RFB(document.getElementById('screen'), new URL('${socketPath}', location.href.replace(/^http/, 'ws')).href);
  rfb.scaleViewport = true;
  rfb.addEventListener('connect', () => (status.textContent = 'Connected'));
  rfb.addEventListener('disconnect', () => (status.textContent = 'Disconnected'));
</script>
`;
