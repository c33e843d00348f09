// libvirt's descriptions. They are read, edited and written back, so that manual changes by an operator survive.
import { ApiError } from '#lib/api-error.ts';
import { MalformedXmlError, parseXml as parseTree, type Element } from '#lib/xml-tree.ts';

export { childrenNamed, element, findPath, replaceChild, writeXml, type Element } from '#lib/xml-tree.ts';

export function parseXml(xml: string): Element {
  try {
    return parseTree(xml);
  } catch (error) {
    if (!(error instanceof MalformedXmlError)) throw error;
    throw new ApiError('node_error', { internal: 'libvirt sent malformed XML', cause: error });
  }
}
