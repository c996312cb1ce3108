import { Icon } from "../../ui/icon.tsx";

/** How it can be that visitors are counted and nobody is known. */
export function Privacy() {
  return (
    <details class="visit-privacy">
      <summary>
        <Icon name="info" />
        <span>
          A visitor is a hash with a salt that is thrown away every day; no cookie, no stored address.{" "}
          <span class="visit-more">How that works</span>
        </span>
      </summary>
      <ul>
        <li>
          The address and the user agent are used once, in memory, and never written down. What is kept
          instead, until the day is closed, is part of a keyed hash of both and the host.
        </li>
        <li>
          The key is random, new for each day in UTC, and deleted ten minutes after midnight. From then on
          nobody can tell whose hash it was, or whether two hashes of different days belong together.
        </li>
        <li>
          An hour after the day is over its visitors are turned into numbers, and the hashes are deleted.
        </li>
        <li>
          Of the user agent, only names from a fixed list are kept: browser, system, kind of device. Of the
          referring page, only the host.
        </li>
        <li>Nothing is stored in or read from the browser, and nothing is added to your pages.</li>
        <li>Returning visitors came back on the same day. Nobody is recognised on another day.</li>
      </ul>
    </details>
  );
}
