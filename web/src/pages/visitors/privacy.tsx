import { Icon } from "../../ui/icon.tsx";

/** Explains how visitors are counted without being identified. */
export function Privacy() {
  return (
    <details class="visit-privacy">
      <summary class="note hint">
        <Icon name="info" />
        <span>
          Visitors are counted with a daily-rotating salted hash: no cookies, no stored IP addresses.{" "}
          <span class="link-button">How it works</span>
        </span>
      </summary>
      <ul class="stack gap-4">
        <li>
          The address and the user agent are used once, in memory, and never stored. Until the day is closed,
          part of a keyed hash of both and the host is stored instead.
        </li>
        <li>
          The key is random, new for each day in UTC, and deleted ten minutes after midnight. From then on, a
          hash cannot be attributed to a person, and hashes of different days cannot be linked.
        </li>
        <li>
          An hour after the end of the day, its visitors are aggregated into counts, and the hashes are
          deleted.
        </li>
        <li>
          From the user agent, Annex stores only the browser, operating system and device type, as names from
          a fixed list. From the referrer, it stores only the host.
        </li>
        <li>Nothing is stored in or read from the browser, and nothing is added to your pages.</li>
        <li>Returning visitors came back on the same day. Visitors are not recognized across days.</li>
      </ul>
    </details>
  );
}
