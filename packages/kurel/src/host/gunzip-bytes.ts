import { FetchError, type Fetcher } from '../model/index.ts';
import { formatSize } from './format-size.ts';
import { hideUser, showUrl } from './show-url.ts';

/** Stops as soon as more comes out than is taken, however little went in. */
export const gunzipBytes: Fetcher['gunzip'] = (bytes, { maxBytes, url }) => {
  return new Promise((resolve, reject) => {
    const name = url === undefined ? 'the archive' : showUrl(url);
    const place = { url: hideUser(url ?? '') };
    process.getBuiltinModule('node:zlib').gunzip(bytes, { maxOutputLength: maxBytes }, (cause, result) => {
      // A copy, because small results of Node share their memory with others.
      if (cause === null) resolve(new Uint8Array(result));
      else if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        const message = `cannot unpack ${name}: it holds more than the ${formatSize(maxBytes)} that are taken`;
        reject(new FetchError('size', message, { ...place, cause }));
      } else
        reject(
          new FetchError('encoding', `cannot unpack ${name}: it is no gzip (${cause.message})`, { ...place, cause }),
        );
    });
  });
};
