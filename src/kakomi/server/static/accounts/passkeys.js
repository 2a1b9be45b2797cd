// Passkeys. A form with data-passkey requests one from the browser and sends it: "create" makes a new passkey, "get"
// uses one of this account's, "sign-in" any that the device has for this site. Without scripts, or if the browser
// doesn't support passkeys (as on a site without https), such forms stay hidden.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

function text(buffer) {
  const signs = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const withBytes = (credentials) => (credentials ?? []).map((each) => ({ ...each, id: bytes(each.id) }));

function creationOptions({ publicKey }) {
  return {
    ...publicKey,
    challenge: bytes(publicKey.challenge),
    user: { ...publicKey.user, id: bytes(publicKey.user.id) },
    excludeCredentials: withBytes(publicKey.excludeCredentials),
    authenticatorSelection: {
      ...publicKey.authenticatorSelection, residentKey: "required", requireResidentKey: true, userVerification: "required",
    },
  };
}

function requestOptions({ publicKey }) {
  return { ...publicKey, challenge: bytes(publicKey.challenge), allowCredentials: withBytes(publicKey.allowCredentials) };
}

function asJson(credential) {
  const { response } = credential;
  const fields = ["attestationObject", "authenticatorData", "clientDataJSON", "signature", "userHandle"];
  const present = fields.filter((name) => response[name]);
  return JSON.stringify({
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: Object.fromEntries(present.map((name) => [name, text(response[name])])),
  });
}

async function fetchedOptions(form) {
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return requestOptions((await answer.json()).request_options);
}

const writtenOptions = () => JSON.parse(document.getElementById("passkey-options").textContent);

function send(form, credential) {
  form.elements.credential.value = asJson(credential);
  form.submit();
}

// Offers passkeys in the autocompletion of the name field, until the button is pressed.
async function offer(form, signal) {
  if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  const publicKey = await fetchedOptions(form);
  if (signal.aborted) return;
  const credential = await navigator.credentials.get({ publicKey, mediation: "conditional", signal });
  if (credential) send(form, credential);
}

async function asked(form) {
  const { passkey } = form.dataset;
  if (passkey === "create") return navigator.credentials.create({ publicKey: creationOptions(writtenOptions()) });
  const publicKey = passkey === "get" ? requestOptions(writtenOptions()) : await fetchedOptions(form);
  return navigator.credentials.get({ publicKey });
}

function prepare(form) {
  const failed = form.querySelector("[data-passkey-failed]");
  const offered = new AbortController();
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    offered.abort();
    failed.hidden = true;
    try {
      send(form, await asked(form));
    } catch {
      failed.hidden = false;
    }
  });
  if (form.dataset.passkey === "sign-in") offer(form, offered.signal).catch(() => {});
}

if (window.PublicKeyCredential) {
  for (const missing of document.querySelectorAll("[data-passkey-missing]")) missing.hidden = true;
  for (const form of document.querySelectorAll("[data-passkey]")) prepare(form);
}
