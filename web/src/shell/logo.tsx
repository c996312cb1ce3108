/**
 * The same drawing as `/_/assets/logo.svg`. It is inlined because that file belongs to the sign-in page, and loading it
 * would add a request to the application's log.
 */
export function Logo({ size }: { size: number }) {
  return (
    <svg class="logo" viewBox="0 0 40 40" width={size} height={size} aria-hidden="true">
      <rect class="logo-ground" width="40" height="40" rx="11" />
      <path class="logo-house" d="M9 29V18l7-6.5 7 6.5v11z" />
      <path class="logo-annex" d="M27.5 29v-8l4 2.5V29z" />
    </svg>
  );
}
