# nod as the brain of the house, for NixOS: the same as packages/nod.yaml, with the sentences beside it.
#
#   imports = [ ./nod/nod.nix ];
#
# The three lines of secrets.yaml belong into secrets.yaml in Home Assistant's own folder, such as by sops-nix
# or agenix; never into the Nix store, which everybody on the machine can read.
{ config, ... }:

let
  dir = config.services.home-assistant.configDir;

  # Longer than nod's own limit (brain.wait, 110 s), so that nod can say that it takes longer.
  patience = 120;

  post = url: timeout: payload: {
    url = "!secret ${url}";
    method = "post";
    content_type = "application/json";
    headers.authorization = "!secret nod_authorization";
    inherit timeout payload;
  };

  text = description: {
    inherit description;
    selector.text.multiline = false;
  };

  conversation = text "The conversation, as nod has returned it" // {
    required = true;
  };

  answered = {
    stop = "Answered";
    response_variable = "reply";
  };

  # What a script returns: what nod said, or why it said nothing.
  told = [
    {
      variables.reply = builtins.concatStringsSep " " [
        "{% if answer is defined and answer.content is mapping and answer.content.text is string %}"
        "{{ answer.content }}"
        "{% elif answer is defined and answer.status in (401, 403) %}"
        "{{ dict(text='nod does not take the token of this house.', error='unauthorized') }}"
        "{% else %}"
        "{{ dict(text='nod does not answer.', error='unreachable') }}"
        "{% endif %}"
      ];
    }
    answered
  ];

  # Spoken words go to the conversation of the room; yes and no are words too.
  say = description: query: {
    inherit description;
    mode = "parallel";
    action = [
      {
        action = "script.nod_ask";
        data = {
          inherit query;
          room = "{{ preferred_area_id | default('', true) }}";
          language = "{{ language | default('', true) }}";
        };
        response_variable = "reply";
      }
      answered
    ];
    speech.text = "{{ action_response.text }}";
  };

  satellite = "assist_satellite.living_room";

  announce = message: {
    action = "assist_satellite.announce";
    target.entity_id = satellite;
    data = { inherit message; };
  };

  # What a person answered decides, in the conversation that asked.
  decide = id: script: {
    conditions = "{{ heard is defined and heard.id == '${id}' }}";
    sequence = [
      {
        action = script;
        data.session_id = "{{ asked.session_id }}";
        response_variable = "said";
      }
      (announce "{{ said.text }}")
    ];
  };
in
{
  services.home-assistant.config = {
    rest_command = {
      nod_ask = post "nod_ask_url" patience "{{ dict(query=query, language=language, room=room, user=user) | to_json }}";
      nod_confirm = post "nod_ask_url" patience "{{ dict(query=query, session_id=session_id, confirm_action=true) | to_json }}";
      nod_cancel = post "nod_cancel_url" 20 "{{ dict(session_id=session_id) | to_json }}";
    };

    script = {
      nod_ask = {
        alias = "Ask nod";
        description = "Asks nod and returns what it says";
        mode = "parallel";
        max = 10;
        fields = {
          query = {
            description = "What to ask";
            required = true;
            selector.text.multiline = true;
          };
          room = {
            description = "The area. Who speaks there later goes on with this conversation";
            selector.area.multiple = false;
          };
          language = text "The language of the answer, such as en or pl";
          user = text "Who asks, if that is known";
        };
        sequence = [
          {
            action = "rest_command.nod_ask";
            data = {
              query = "{{ query }}";
              room = "{{ room | default('', true) }}";
              language = "{{ language | default('', true) }}";
              user = "{{ user | default('', true) }}";
            };
            response_variable = "answer";
            continue_on_error = true;
          }
        ]
        ++ told;
      };

      nod_confirm = {
        alias = "Say yes to nod";
        description = "Allows what nod has asked for in a conversation, and returns the rest of its answer";
        mode = "parallel";
        fields.session_id = conversation;
        sequence = [
          {
            action = "rest_command.nod_confirm";
            data = {
              query = "yes";
              session_id = "{{ session_id }}";
            };
            response_variable = "answer";
            continue_on_error = true;
          }
        ]
        ++ told;
      };

      nod_cancel = {
        alias = "Say no to nod";
        description = "Refuses what nod has asked for in a conversation";
        mode = "parallel";
        fields.session_id = conversation;
        sequence = [
          {
            action = "rest_command.nod_cancel";
            data.session_id = "{{ session_id }}";
            response_variable = "answer";
            continue_on_error = true;
          }
        ]
        ++ told;
      };
    };

    intent_script = {
      AskNod = say "Asks nod, for whatever the house itself does not know" "{{ (opening | default('', true) ~ ' ' ~ query) | trim }}";
      ConfirmNod = say "Says yes to what nod has asked in this room" "{{ words }}";
      CancelNod = say "Says no to what nod has asked in this room" "{{ words }}";
    };

    # The house begins: it tells nod what is going on, and nod asks a person before it does anything.
    automation = [
      {
        id = "nod_too_warm";
        alias = "nod: it is warm, open the windows?";
        mode = "single";
        triggers = [
          {
            trigger = "numeric_state";
            entity_id = "sensor.living_room_temperature";
            above = 26;
            for = "00:10:00";
          }
        ];
        conditions = [
          {
            condition = "time";
            after = "08:00:00";
            before = "22:00:00";
          }
        ];
        actions = [
          {
            action = "script.nod_ask";
            data = {
              query = builtins.concatStringsSep " " [
                "It is {{ states('sensor.living_room_temperature') }} degrees in the living room, which is too warm."
                "Open the windows there."
              ];
              room = "living_room";
              language = "en";
            };
            response_variable = "asked";
          }
          {
            "if" = "{{ asked.requires_permission | default(false) }}";
            "then" = [
              {
                action = "assist_satellite.ask_question";
                data = {
                  entity_id = satellite;
                  question = "{{ asked.text }}";
                  answers = [
                    {
                      id = "yes";
                      sentences = [
                        "yes [please]"
                        "(ok|okay|sure)"
                        "[yes] do it"
                      ];
                    }
                    {
                      id = "no";
                      sentences = [
                        "no [thanks|thank you]"
                        "(cancel|stop) [it|that]"
                        "(do not|don't) do it"
                      ];
                    }
                  ];
                };
                response_variable = "heard";
                continue_on_error = true;
              }
              # Nobody answered, or something else: nothing is done, and nod refuses it when its time is over.
              {
                choose = [
                  (decide "yes" "script.nod_confirm")
                  (decide "no" "script.nod_cancel")
                ];
              }
            ];
            "else" = [ (announce "{{ asked.text }}") ];
          }
        ];
      }
    ];
  };

  systemd.tmpfiles.rules = [
    "d ${dir}/custom_sentences 0755 hass hass"
    "d ${dir}/custom_sentences/en 0755 hass hass"
    "d ${dir}/custom_sentences/pl 0755 hass hass"
    "L+ ${dir}/custom_sentences/en/nod.yaml - - - - ${./custom_sentences/en/nod.yaml}"
    "L+ ${dir}/custom_sentences/pl/nod.yaml - - - - ${./custom_sentences/pl/nod.yaml}"
  ];
}
